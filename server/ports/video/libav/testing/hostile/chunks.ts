import { crc32, deflateSync } from 'node:zlib'

export const ascii = (text: string) => Buffer.from(text, 'latin1')
export const u16 = (value: number) => Buffer.from([value >>> 8, value & 0xff])
export const u32 = (value: number) =>
  Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((byte) => byte & 0xff))
const u32le = (value: number) => u32(value).reverse()
export const u24le = (value: number) =>
  Buffer.from([value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff])

export const script = '<script>alert("CANARY")</script>'

/** The first part of a file. */
export const upTo = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share))

/** A copy of a file with other bytes at one place. */
export const withBytes = (bytes: Buffer, at: number, by: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + by.length)])

/** An EXIF block whose first directory holds one entry: tag, type, count and value or offset. */
export const exifBlock = (tag: number, type: number, count: number, value: number, next = 0) =>
  Buffer.concat([
    ascii('Exif\0\0MM\0*'),
    u32(8),
    u16(1),
    u16(tag),
    u16(type),
    u32(count),
    u32(value),
    u32(next),
  ])

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([ascii(type), data])
  return Buffer.concat([u32(data.length), body, u32(crc32(body))])
}

/** A gray PNG whose pixels are all black; `depth` is bits a pixel, `extra` stands before the pixels. */
export function greyPng(
  width: number,
  height: number,
  options: { depth?: number; extra?: Buffer[] } = {},
): Buffer {
  const { depth = 8, extra = [] } = options
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([depth, 0, 0, 0, 0])])
  const rows = Buffer.alloc((1 + Math.ceil((width * depth) / 8)) * height)
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** The same PNG with a chunk put in right behind its header. */
export function withPngChunk(png: Buffer, type: string, data: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, 33), pngChunk(type, data), png.subarray(33)])
}

/** The same JPEG with a segment put in right behind its start (marker 0xfe: a comment, 0xe1: EXIF or XMP). */
export function withJpegSegment(jpeg: Buffer, marker: number, data: Buffer): Buffer {
  const segment = Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data])
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}

/** The bytes from a JPEG's marker on, without those before. */
export function jpegMarker(jpeg: Buffer, marker: number): number {
  return jpeg.indexOf(Buffer.from([0xff, marker]))
}

export function webpChunk(type: string, data: Buffer): Buffer {
  return Buffer.concat([ascii(type), u32le(data.length), data, Buffer.alloc(data.length % 2)])
}

export function webpFile(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat([ascii('WEBP'), ...chunks])
  return Buffer.concat([ascii('RIFF'), u32le(body.length), body])
}

/** The extended header: flags are 2 animation, 4 XMP, 8 EXIF, 16 alpha, 32 color profile. */
export function webpCanvas(flags: number, width: number, height: number): Buffer {
  return webpChunk(
    'VP8X',
    Buffer.concat([Buffer.from([flags, 0, 0, 0]), u24le(width - 1), u24le(height - 1)]),
  )
}

/** One frame of an animation from the picture of a simple WebP file; times are milliseconds. */
export function webpFrame(
  webp: Buffer,
  options: { x?: number; width: number; height: number; ms: number },
): Buffer {
  const { x = 0, width, height, ms } = options
  const head = [u24le(x / 2), u24le(0), u24le(width - 1), u24le(height - 1), u24le(ms), Buffer.from([0])]
  return webpChunk('ANMF', Buffer.concat([...head, webp.subarray(12)]))
}
