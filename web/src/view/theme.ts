// Colours of the surroundings, in light and dark.

export interface Theme {
  name: "light" | "dark";
  zenith: number;
  horizon: number;
  nadir: number;
  floor: number;
  line: number;
  /** Light from above and from the ground. */
  skyLight: number;
  groundLight: number;
  ambient: number;
  sun: number;
  /** How dark a shadow on the floor is, 0..1. */
  shadow: number;
  label: string;
  labelHalo: string;
}

export const themes: Record<Theme["name"], Theme> = {
  light: {
    name: "light",
    zenith: 0x7fa6cf,
    horizon: 0xe9eef3,
    nadir: 0xc9d0d6,
    floor: 0xdfe3e6,
    line: 0xa7b0b8,
    skyLight: 0xf4f8ff,
    groundLight: 0xb9b2a8,
    ambient: 1.7,
    sun: 2.1,
    shadow: 0.42,
    label: "#1d242b",
    labelHalo: "rgba(255,255,255,0.85)",
  },
  dark: {
    name: "dark",
    zenith: 0x0d1218,
    horizon: 0x2a323b,
    nadir: 0x1a2027,
    floor: 0x242b33,
    line: 0x46525f,
    skyLight: 0xd7e4f5,
    groundLight: 0x59534c,
    ambient: 1.35,
    sun: 2.0,
    shadow: 0.6,
    label: "#f1f4f7",
    labelHalo: "rgba(12,16,20,0.85)",
  },
};
