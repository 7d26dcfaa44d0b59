import { describe, expect, it } from 'vitest'
import { acceptsAvif, avifOf } from './rules.ts'

describe('a browser can show AVIF', () => {
  it.each([
    'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
    'image/webp, image/AVIF;q=0.5',
    'image/avif;q=1.0',
  ])('when it says so: %s', (accept) => expect(acceptsAvif(accept)).toBe(true))

  it.each([
    '',
    '*/*',
    'image/*',
    'image/webp',
    'image/avif;q=0',
    'image/avif; q=0.000, image/webp',
    'image/avifs',
    'text/image/avif',
  ])('and not when it does not: %j', (accept) => expect(acceptsAvif(accept)).toBe(false))
})

it('an AVIF stands beside each WebP of its name', () => {
  expect(avifOf('w640.webp')).toBe('w640.avif')
  expect(avifOf('poster-w1280.webp')).toBe('poster-w1280.avif')
  for (const name of ['video.mp4', 'hls.m3u8', 'w640.avif', 'w640.webp.mp4']) expect(avifOf(name)).toBeNull()
})
