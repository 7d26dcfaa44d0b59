import { describe, expect, it } from 'vitest'
import { acceptsAvif, avifOf, withQuery } from './rules.ts'

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

describe('a playlist with a query', () => {
  it('has it on every address, line or attribute, and nowhere else', () => {
    const playlist = [
      '#EXTM3U',
      '# a note that names a.mp4',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="URI",URI="sound.m3u8"',
      '#EXT-X-I-FRAME-STREAM-INF:URI="frames.m3u8",BANDWIDTH=1',
      '#EXT-X-MAP:URI="a.mp4",BYTERANGE="10@0"',
      '#EXTINF:6.0,a title, with a comma',
      'a.mp4',
      '',
      '#EXT-X-ENDLIST',
    ]
    expect(withQuery(playlist.join('\n'), 'e=1&s=x').split('\n')).toEqual([
      '#EXTM3U',
      '# a note that names a.mp4',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="URI",URI="sound.m3u8?e=1&s=x"',
      '#EXT-X-I-FRAME-STREAM-INF:URI="frames.m3u8?e=1&s=x",BANDWIDTH=1',
      '#EXT-X-MAP:URI="a.mp4?e=1&s=x",BYTERANGE="10@0"',
      '#EXTINF:6.0,a title, with a comma',
      'a.mp4?e=1&s=x',
      '',
      '#EXT-X-ENDLIST',
    ])
  })

  it('is the same whatever ends its lines', () => {
    expect(withQuery('#EXTM3U\r\na.mp4\r\n', 'q')).toBe('#EXTM3U\r\na.mp4?q\r\n')
  })
})
