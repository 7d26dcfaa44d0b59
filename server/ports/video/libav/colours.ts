import { open } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import type { Pixels } from './encode.ts'

/** The color space of a PNG that is no sRGB and has no profile (PNG 3, 4.3). */
export type PngColours = {
  /** From a sample, 0 to 1, to light, where 1 is the white of a page. */
  toLight: (sample: number) => number
  /** Rows that make red, green and blue of sRGB of the picture's own, in light. */
  matrix: readonly number[] | null
}

const searchedBytes = 256 * 1024
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47])

/** The chunks cICP and gAMA of a PNG; null when it is another kind, has a profile, or means sRGB. */
export async function pngColours(path: string): Promise<PngColours | null> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(searchedBytes), 0, searchedBytes, 0)
  const bytes = buffer.subarray(0, bytesRead)
  if (!bytes.subarray(0, 4).equals(signature)) return null
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') break
    if (!chunks.has(type)) chunks.set(type, bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  if (chunks.has('iCCP')) return null
  const coded = chunks.get('cICP')
  if (coded?.length === 4) return codedColours(coded[0] ?? 0, coded[1] ?? 0)
  const gamma = chunks.get('gAMA')
  if (gamma?.length !== 4 || chunks.has('sRGB')) return null
  return gammaColours(gamma.readUInt32BE(0) / 100_000)
}

/** Exponents that look no different from sRGB. */
const usualGamma = { from: 0.44, to: 0.47 }

function gammaColours(gamma: number): PngColours | null {
  if (gamma < 0.1 || gamma > 5 || (gamma >= usualGamma.from && gamma <= usualGamma.to)) return null
  return { toLight: (sample) => sample ** (1 / gamma), matrix: null }
}

/** From Rec. 2020 and from Display P3 to the primaries of sRGB, by their numbers in ISO/IEC 23091-2. */
const matrices: Record<number, readonly number[]> = {
  9: [1.6605, -0.5876, -0.0728, -0.1246, 1.1329, -0.0083, -0.0182, -0.1006, 1.1187],
  12: [1.2249, -0.2247, 0, -0.042, 1.0419, 0, -0.0197, -0.0786, 1.0979],
}

const curves: Record<number, (sample: number) => number> = {
  4: (sample) => sample ** 2.2,
  5: (sample) => sample ** 2.8,
  8: (sample) => sample,
  13: fromSrgb,
  16: (sample) => rollOff((10_000 / pageWhite) * fromPerceptual(sample)),
  18: (sample) => rollOff((1000 / pageWhite) * fromHybridLog(sample) ** 1.2),
}

function codedColours(primaries: number, transfer: number): PngColours | null {
  const matrix = matrices[primaries] ?? null
  const toLight = curves[transfer] ?? fromSrgb
  return matrix || toLight !== fromSrgb ? { toLight, matrix } : null
}

/** Luminance of the white of a page in high dynamic range, in cd/m² (ITU-R BT.2408). */
const pageWhite = 203

function fromSrgb(sample: number): number {
  return sample <= 0.04045 ? sample / 12.92 : ((sample + 0.055) / 1.055) ** 2.4
}

function toSrgb(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
}

/** SMPTE ST 2084. */
function fromPerceptual(sample: number): number {
  const power = sample ** (1 / 78.84375)
  return (Math.max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power)) ** (1 / 0.1593017578125)
}

/** ARIB STD-B67. */
function fromHybridLog(sample: number): number {
  return sample <= 0.5 ? sample ** 2 / 3 : (Math.exp((sample - 0.55991073) / 0.17883277) + 0.28466892) / 12
}

/** Values brighter than most of a page approach its white. */
function rollOff(light: number): number {
  const knee = 0.7
  return light <= knee ? light : knee + (1 - knee) * (1 - Math.exp((knee - light) / (1 - knee)))
}

const steps = 4096

/** The picture's pixels in sRGB, of samples of 16 bits where it has them. */
export async function inStandardColours(picture: Sharp, { toLight, matrix }: PngColours): Promise<Pixels> {
  const { data, info } = await picture
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2)
  const channels = info.channels === 4 ? 4 : 3
  const light = Float32Array.from({ length: 65_536 }, (_, sample) => toLight(sample / 65_535))
  const shown = Uint8Array.from({ length: steps + 1 }, (_, step) => Math.round(255 * toSrgb(step / steps)))
  const toByte = (value: number) => shown[Math.round(steps * Math.min(1, Math.max(0, value)))] ?? 0
  const pixels = Buffer.alloc(samples.length)
  const [a = 1, b = 0, c = 0, d = 0, e = 1, f = 0, g = 0, h = 0, i = 1] = matrix ?? []
  for (let at = 0; at < samples.length; at += channels) {
    const red = light[samples[at] ?? 0] ?? 0
    const green = light[samples[at + 1] ?? 0] ?? 0
    const blue = light[samples[at + 2] ?? 0] ?? 0
    pixels[at] = toByte(a * red + b * green + c * blue)
    pixels[at + 1] = toByte(d * red + e * green + f * blue)
    pixels[at + 2] = toByte(g * red + h * green + i * blue)
    if (channels === 4) pixels[at + 3] = (samples[at + 3] ?? 0) >> 8
  }
  return { data: pixels, width: info.width, height: info.height, channels }
}
