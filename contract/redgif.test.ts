import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redGifEmbedUrl } from './redgif.ts'

const EMBED = /^https:\/\/www\.redgifs\.com\/ifr\/[a-z0-9]{1,100}$/
const id = fc.stringMatching(/^[A-Za-z0-9]{1,60}$/)

describe('redGifEmbedUrl', () => {
  it.each([
    'https://www.redgifs.com/watch/BraveTinyFox',
    'http://redgifs.com/watch/bravetinyfox',
    'redgifs.com/watch/BraveTinyFox',
    'https://WWW.RedGifs.com/watch/bravetinyfox/',
    'https://www.redgifs.com/watch/bravetinyfox?order=new#rel=user',
    'https://www.redgifs.com/ifr/bravetinyfox',
    'https://www.redgifs.com/gifs/detail/BraveTinyFox',
    'https://i.redgifs.com/i/BraveTinyFox.jpg',
    'https://i.redgifs.com/i/bravetinyfox-mobile.jpg?x=1',
    'i.redgifs.com/i/bravetinyfox',
    '  BraveTinyFox\n',
  ])('reads %j', (pasted) => {
    expect(redGifEmbedUrl(pasted)).toBe('https://www.redgifs.com/ifr/bravetinyfox')
  })

  it.each([
    '',
    '   ',
    'brave tiny fox',
    'brave-tiny-fox',
    'https://www.redgifs.com/',
    'https://www.redgifs.com/watch/',
    'https://www.redgifs.com/users/bravetinyfox',
    'https://www.redgifs.com/watch/brave.tiny',
    'https://evil.example/redgifs.com/watch/bravetinyfox',
    'https://evil.example/?https://www.redgifs.com/watch/bravetinyfox',
    'https://www.redgifs.com.evil.example/watch/bravetinyfox',
    'https://www.redgifs.com@evil.example/watch/bravetinyfox',
    'https://notredgifs.com/watch/bravetinyfox',
    'javascript:alert(1)',
    'x'.repeat(101),
  ])('finds no id in %j', (pasted) => {
    expect(redGifEmbedUrl(pasted)).toBe('')
  })

  it('gives one embed URL for every way of naming a gif, its own included', () => {
    fc.assert(
      fc.property(id, (name) => {
        const embed = `https://www.redgifs.com/ifr/${name.toLowerCase()}`
        for (const pasted of [
          name,
          embed,
          `https://www.redgifs.com/watch/${name}`,
          `https://www.redgifs.com/gifs/detail/${name}`,
          `https://i.redgifs.com/i/${name}.jpg`,
        ])
          expect(redGifEmbedUrl(pasted)).toBe(embed)
      }),
    )
  })

  it('of anything makes an embed URL of redgifs.com or nothing', () => {
    const near = fc
      .tuple(
        fc.constantFrom('', 'https://', 'http://', 'javascript:', '//'),
        fc.constantFrom('', 'www.', 'i.', 'x.', 'evil@'),
        fc.constantFrom('redgifs.com', 'redgifs.com.x', 'example.com'),
        fc.constantFrom('/watch/', '/ifr/', '/i/', '/gifs/detail/', '/'),
        fc.string({ unit: 'grapheme' }),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: 'grapheme' })), (pasted) => {
        const embed = redGifEmbedUrl(pasted)
        expect(embed === '' || EMBED.test(embed)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
