// What can be shown and hidden, with its key, its name in the menu and whether it is shown at first.

export const layers = {
  visuals: { key: "v", label: "Visuals", shown: true },
  seeThrough: { key: "z", label: "See through visuals", shown: false },
  collisions: { key: "c", label: "Collision shapes", shown: false },
  frames: { key: "b", label: "Frames", shown: false },
  joints: { key: "j", label: "Joint axes", shown: false },
  loops: { key: "l", label: "Loops", shown: true },
  tendons: { key: "w", label: "Tendons", shown: true },
  rotors: { key: "u", label: "Rotors", shown: true },
  masses: { key: "m", label: "Centres of mass", shown: false },
  inertias: { key: "i", label: "Inertia boxes", shown: false },
  contacts: { key: "n", label: "Contacts", shown: true },
  forces: { key: "e", label: "External forces", shown: true },
  rays: { key: "a", label: "Rays", shown: true },
  trajectories: { key: "t", label: "Trajectories", shown: true },
  names: { key: "k", label: "Names", shown: false },
  overlay: { key: "y", label: "Program's drawings", shown: true },
  grid: { key: "g", label: "Grid", shown: true },
  shadows: { key: "s", label: "Shadows", shown: true },
} as const;

export type LayerName = keyof typeof layers;
export type Shown = Record<LayerName, boolean>;

export const layerNames = Object.keys(layers) as LayerName[];

export function shownAtFirst(): Shown {
  return Object.fromEntries(layerNames.map((name) => [name, layers[name].shown])) as Shown;
}
