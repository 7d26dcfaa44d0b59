/**
 * The printable characters of usernames, and the slash of `u/name`, as the common five by seven dot letters: five columns
 * each, the lowest bit on top. A server without any font draws them all the same.
 */
const columns: Record<string, string> = {
  '-': '0808080808',
  '.': '0000606000',
  '/': '2010080402',
  '0': '3e5149453e',
  '1': '00427f4000',
  '2': '7249494946',
  '3': '2141494d33',
  '4': '1814127f10',
  '5': '2745454539',
  '6': '3c4a494931',
  '7': '4121110907',
  '8': '3649494936',
  '9': '464949291e',
  '@': '3e415d594e',
  A: '7c1211127c',
  B: '7f49494936',
  C: '3e41414122',
  D: '7f4141413e',
  E: '7f49494941',
  F: '7f09090901',
  G: '3e41415173',
  H: '7f0808087f',
  I: '00417f4100',
  J: '2040413f01',
  K: '7f08142241',
  L: '7f40404040',
  M: '7f021c027f',
  N: '7f0408107f',
  O: '3e4141413e',
  P: '7f09090906',
  Q: '3e4151215e',
  R: '7f09192946',
  S: '2649494932',
  T: '03017f0103',
  U: '3f4040403f',
  V: '1f2040201f',
  W: '3f4038403f',
  X: '6314081463',
  Y: '0304780403',
  Z: '6159494d43',
  _: '4040404040',
  a: '2054547840',
  b: '7f28444438',
  c: '3844444428',
  d: '384444287f',
  e: '3854545418',
  f: '00087e0902',
  g: '18a4a49c78',
  h: '7f08040478',
  i: '00447d4000',
  j: '2040403d00',
  k: '7f10284400',
  l: '00417f4000',
  m: '7c04780478',
  n: '7c08040478',
  o: '3844444438',
  p: 'fc18242418',
  q: '18242418fc',
  r: '7c08040408',
  s: '4854545424',
  t: '04043f4424',
  u: '3c4040207c',
  v: '1c2040201c',
  w: '3c4030403c',
  x: '4428102844',
  y: '4c9090907c',
  z: '4464544c44',
}

/** Dots that a line of letters takes: five columns and a gap each; seven rows and one below the line. */
export const glyphAdvance = 6
export const glyphHeight = 8

/** The characters of a text that can be drawn, at most `longest` of them. */
export function drawable(text: string, longest: number): string[] {
  return [...text].filter((character) => Object.hasOwn(columns, character)).slice(0, longest)
}

/** Whether the dot in that column and row of a line of letters is set. */
export function hasDot(letters: readonly string[], column: number, row: number): boolean {
  const letter = columns[letters[Math.floor(column / glyphAdvance)] ?? ''] ?? ''
  const bits = Number.parseInt(letter.slice(2 * (column % glyphAdvance), 2 * (column % glyphAdvance) + 2), 16)
  return ((bits >> row) & 1) === 1
}
