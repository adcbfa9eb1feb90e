// Changes of three's shaders, which are text.

/** The shader with all places that match changed. Throws where none does: another version of three. */
export function changedShader(shader: string, changes: [string | RegExp, string][]): string {
  for (const [place, text] of changes) {
    const changed = shader.replace(place, () => text);
    if (changed === shader) throw new Error(`this version of three has no ${place} in its shader`);
    shader = changed;
  }
  return shader;
}
