// A text that faces the camera and keeps its size on the screen.

import { CanvasTexture, Sprite, SpriteMaterial, SRGBColorSpace } from "three";

const fontPixels = 28;
/** Of the picture's height, at a field of view of 45 degrees. */
const screenShare = 0.034;

export function makeLabel(text: string, color: string, halo: string): Sprite {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  const font = `600 ${fontPixels}px system-ui, "DejaVu Sans", sans-serif`;
  context.font = font;
  canvas.width = Math.ceil(context.measureText(text).width) + 16;
  canvas.height = fontPixels + 16;
  context.font = font;
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 6;
  context.strokeStyle = halo;
  context.strokeText(text, 8, canvas.height / 2);
  context.fillStyle = color;
  context.fillText(text, 8, canvas.height / 2);
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  const material = new SpriteMaterial({
    map,
    sizeAttenuation: false,
    depthTest: false,
    transparent: true,
  });
  const sprite = new Sprite(material);
  sprite.scale.set((screenShare * canvas.width) / canvas.height, screenShare, 1);
  sprite.center.set(0.5, -0.2);
  sprite.name = text;
  return sprite;
}

export function disposeLabel(sprite: Sprite): void {
  sprite.removeFromParent();
  sprite.material.map?.dispose();
  sprite.material.dispose();
}
