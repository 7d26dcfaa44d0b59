/** Pictures of our own for the sample data: calm landscapes drawn as SVG, the same for the same seed, safe at work. */

export type Scene = 'mountains' | 'sea' | 'dunes' | 'night' | 'garden' | 'pottery'

type Random = () => number
type Palette = { sky: [string, string, string]; land: string[]; light: string }

const PALETTES: readonly Palette[] = [
  {
    sky: ['#2b2d52', '#a4508b', '#f7b267'],
    land: ['#7d4f73', '#5a3a63', '#3c2850', '#22173a'],
    light: '#ffe3b3',
  },
  {
    sky: ['#12324a', '#3f88a5', '#f4d6b0'],
    land: ['#5d8a96', '#3d6a78', '#254b5b', '#122f3d'],
    light: '#fff3dc',
  },
  {
    sky: ['#f3c9a5', '#eaa07d', '#fbe9d2'],
    land: ['#c9775f', '#a65a4c', '#7c3f3b', '#54292c'],
    light: '#fff8ea',
  },
  {
    sky: ['#1d2b2a', '#4a6b5d', '#d8dcb0'],
    land: ['#6f8f72', '#4d6f58', '#32523f', '#1b352a'],
    light: '#f7f4d4',
  },
  {
    sky: ['#20243f', '#5f6aa3', '#e5c1cd'],
    land: ['#7f82ae', '#5a5f8e', '#3c4170', '#22264b'],
    light: '#fbeef0',
  },
  {
    sky: ['#40222f', '#b04a5a', '#f6c28b'],
    land: ['#94505b', '#6e3a49', '#4b2737', '#2b1623'],
    light: '#ffe9c7',
  },
]

/** A small generator of numbers in [0, 1) that gives the same sequence for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** An SVG document of the scene in pixels; the seed decides palette and every shape. */
export function drawScene(scene: Scene, seed: number, width: number, height: number): string {
  const random = seeded(seed)
  const palette = PALETTES[Math.floor(random() * PALETTES.length)] ?? PALETTES[0]
  if (!palette) throw new Error('no palettes')
  const canvas = { width, height, random, palette }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs>
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.sky[0]}"/><stop offset="0.55" stop-color="${palette.sky[1]}"/><stop offset="1" stop-color="${palette.sky[2]}"/></linearGradient>
<radialGradient id="glow"><stop offset="0" stop-color="${palette.light}" stop-opacity="0.85"/><stop offset="0.25" stop-color="${palette.light}" stop-opacity="0.35"/><stop offset="1" stop-color="${palette.light}" stop-opacity="0"/></radialGradient>
</defs>
<rect width="${width}" height="${height}" fill="url(#sky)"/>
${painters[scene](canvas)}
</svg>`
}

type Canvas = { width: number; height: number; random: Random; palette: Palette }

const painters: Record<Scene, (canvas: Canvas) => string> = {
  mountains: (c) => sun(c, 0.2, 0.45) + ridges(c, 0.42, 1, 5, 0.13),
  sea: (c) => sun(c, 0.38, 0.5) + waves(c),
  dunes: (c) => sun(c, 0.15, 0.4) + ridges(c, 0.55, 1, 4, 0.05),
  night: (c) => stars(c) + moon(c) + ridges(c, 0.62, 1, 4, 0.1),
  garden: (c) => sun(c, 0.1, 0.3) + stems(c),
  pottery: (c) => vessels(c),
}

function sun({ width, height, random, palette }: Canvas, from: number, to: number): string {
  const x = width * (0.2 + random() * 0.6)
  const y = height * (from + random() * (to - from))
  const radius = Math.min(width, height) * (0.05 + random() * 0.05)
  return `<circle cx="${x}" cy="${y}" r="${radius * 6}" fill="url(#glow)"/><circle cx="${x}" cy="${y}" r="${radius}" fill="${palette.light}"/>`
}

function ridges(
  { width, height, random, palette }: Canvas,
  from: number,
  to: number,
  layers: number,
  roughness: number,
): string {
  let out = ''
  for (let layer = 0; layer < layers; layer++) {
    const base = height * (from + ((to - from) * layer) / layers)
    const color = palette.land[Math.min(layer, palette.land.length - 1)]
    const phases = [random() * 7, random() * 7, random() * 7]
    const points: string[] = []
    for (let step = 0; step <= 48; step++) {
      const t = step / 48
      const wave =
        Math.sin(t * 4 + (phases[0] ?? 0)) * 0.6 +
        Math.sin(t * 9 + (phases[1] ?? 0)) * 0.3 +
        Math.sin(t * 23 + (phases[2] ?? 0)) * 0.1
      points.push(`${(t * width).toFixed(1)} ${(base - wave * height * roughness).toFixed(1)}`)
    }
    out += `<path d="M0 ${height} L${points.join(' L')} L${width} ${height} Z" fill="${color}" opacity="${0.82 + 0.06 * layer}"/>`
  }
  return out
}

function waves({ width, height, random, palette }: Canvas): string {
  const horizon = height * 0.56
  let out = `<rect y="${horizon}" width="${width}" height="${height - horizon}" fill="${palette.land[2]}"/>`
  for (let index = 0; index < 70; index++) {
    const depth = random()
    const y = horizon + (height - horizon) * depth ** 1.4
    const length = width * (0.04 + 0.3 * depth * random())
    const x = random() * width - length / 2
    out += `<rect x="${x}" y="${y}" width="${length}" height="${1 + depth * height * 0.006}" rx="3" fill="${palette.light}" opacity="${0.08 + 0.25 * random() * (1 - depth)}"/>`
  }
  return out
}

function stars({ width, height, random }: Canvas): string {
  let out = `<rect width="${width}" height="${height}" fill="#0b1026" opacity="0.72"/>`
  for (let index = 0; index < 160; index++) {
    out += `<circle cx="${random() * width}" cy="${random() * height * 0.75}" r="${0.4 + random() ** 3 * 2.6}" fill="#fffaf0" opacity="${0.3 + random() * 0.7}"/>`
  }
  return out
}

function moon({ width, height, random, palette }: Canvas): string {
  const radius = Math.min(width, height) * (0.07 + random() * 0.05)
  const x = width * (0.2 + random() * 0.6)
  const y = height * (0.18 + random() * 0.15)
  return `<circle cx="${x}" cy="${y}" r="${radius * 4}" fill="url(#glow)" opacity="0.6"/><circle cx="${x}" cy="${y}" r="${radius}" fill="${palette.light}"/>`
}

function stems({ width, height, random, palette }: Canvas): string {
  let out = ''
  for (let index = 0; index < 26; index++) {
    const x = random() * width
    const top = height * (0.2 + random() * 0.5)
    const bend = (random() - 0.5) * width * 0.25
    const color = palette.land[Math.floor(random() * palette.land.length)]
    const stroke = Math.min(width, height) * (0.004 + random() * 0.006)
    out += `<path d="M${x} ${height} Q${x} ${(height + top) / 2} ${x + bend} ${top}" stroke="${color}" stroke-width="${stroke}" fill="none" stroke-linecap="round"/>`
    out +=
      random() < 0.5
        ? leaves(x, bend, top, height, random, color)
        : blossom(x + bend, top, Math.min(width, height), random, palette)
  }
  return out
}

function leaves(
  x: number,
  bend: number,
  top: number,
  height: number,
  random: Random,
  color: string | undefined,
): string {
  let out = ''
  for (let t = 0.35; t < 1; t += 0.13) {
    const px = (1 - t) ** 2 * x + 2 * (1 - t) * t * x + t * t * (x + bend)
    const py = (1 - t) ** 2 * height + (1 - t) * t * (height + top) + t * t * top
    const size = (height - top) * (0.05 + 0.05 * random())
    const turn = (random() < 0.5 ? -1 : 1) * (35 + random() * 30)
    out += `<ellipse cx="${px}" cy="${py - size}" rx="${size * 0.35}" ry="${size}" fill="${color}" opacity="0.9" transform="rotate(${turn} ${px} ${py})"/>`
  }
  return out
}

function blossom(x: number, y: number, scale: number, random: Random, palette: Palette): string {
  const petals = 5 + Math.floor(random() * 4)
  const size = scale * (0.025 + random() * 0.03)
  const color = random() < 0.5 ? palette.light : palette.sky[1]
  let out = ''
  for (let petal = 0; petal < petals; petal++) {
    out += `<ellipse cx="${x}" cy="${y - size}" rx="${size * 0.5}" ry="${size}" fill="${color}" opacity="0.92" transform="rotate(${(360 / petals) * petal} ${x} ${y})"/>`
  }
  return `${out}<circle cx="${x}" cy="${y}" r="${size * 0.45}" fill="${palette.sky[2]}"/>`
}

function vessels({ width, height, random, palette }: Canvas): string {
  const table = height * 0.72
  let out = `<rect y="${table}" width="${width}" height="${height - table}" fill="${palette.land[1]}"/>`
  const count = 2 + Math.floor(random() * 3)
  for (let index = 0; index < count; index++) {
    const x = (width * (index + 0.5)) / count + (random() - 0.5) * width * 0.08
    const h = height * (0.22 + random() * 0.28)
    const w = (width / count) * (0.22 + random() * 0.16)
    const neck = w * (0.25 + random() * 0.4)
    const foot = table + height * 0.04 * random() + height * 0.02
    const color = [palette.sky[2], palette.light, palette.land[0], palette.sky[1]][Math.floor(random() * 4)]
    out += `<ellipse cx="${x}" cy="${foot}" rx="${w * 1.25}" ry="${height * 0.018}" fill="#000" opacity="0.25"/>`
    out += `<path d="M${x - neck} ${foot - h} C${x - neck * 0.6} ${foot - h * 0.75} ${x - w * 1.25} ${foot - h * 0.6} ${x - w} ${foot - h * 0.25} Q${x - w * 0.8} ${foot} ${x - w * 0.5} ${foot} L${x + w * 0.5} ${foot} Q${x + w * 0.8} ${foot} ${x + w} ${foot - h * 0.25} C${x + w * 1.25} ${foot - h * 0.6} ${x + neck * 0.6} ${foot - h * 0.75} ${x + neck} ${foot - h} Z" fill="${color}"/>`
    out += `<path d="M${x + w * 0.25} ${foot - h * 0.7} Q${x + w * 0.85} ${foot - h * 0.4} ${x + w * 0.3} ${foot - h * 0.02}" stroke="#000" stroke-opacity="0.12" stroke-width="${w * 0.35}" fill="none" stroke-linecap="round"/>`
  }
  return out
}
