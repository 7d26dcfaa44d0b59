import { gzipSync } from 'node:zlib'
import { ascii, u16, u32 } from './chunks.ts'
import type { Row } from './row.ts'

const ftyp = (brand: string) =>
  Buffer.concat([u32(24), ascii(`ftyp${brand}`), u32(0), ascii(`mif1${brand}`), Buffer.alloc(64)])
const ebml = (type: string) =>
  Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 + type.length + 3, 0x42, 0x82, 0x80 + type.length]),
    ascii(type),
  ])
const xml = '<?xml version="1.0"?>'

/** Files of kinds that are not taken, whatever they are called. None is ever given to a decoder. */
const kinds: Array<[string, (canary: { url: string; file: string }) => Buffer | string | Promise<Buffer>]> = [
  [
    'SVG with an external entity',
    ({ file }) => `${xml}<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${file}">]><svg>&x;</svg>`,
  ],
  ['packed SVG', ({ url }) => gzipSync(`<svg><image href="${url}"/></svg>`)],
  [
    'entities that grow a billionfold',
    () => `${xml}<!DOCTYPE a [<!ENTITY b "lol"><!ENTITY c "${'&b;'.repeat(1000)}">]><a>&c;</a>`,
  ],
  ['HTML behind white space', () => `\n\n\t  <HTML><body onload=alert(1)>`],
  [
    'a drawing of ImageMagick (MVG)',
    ({ url }) =>
      `push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 9,9 'url(${url})'\npop graphic-context`,
  ],
  [
    'a script of ImageMagick (MSL)',
    ({ file }) => `${xml}<image><read filename="${file}"/><write filename="${file}.out"/></image>`,
  ],
  ['PostScript', ({ file }) => `%!PS-Adobe-3.0\n(${file}) (r) file readline pop print quit\n`],
  [
    'PostScript in an EPS preview',
    () => Buffer.concat([Buffer.from([0xc5, 0xd0, 0xd3, 0xc6]), Buffer.alloc(64)]),
  ],
  [
    'a playlist of another file',
    ({ file }) => `#EXTM3U\n#EXTINF:1,\nconcat:file://${file}|file://${file}\n#EXT-X-ENDLIST\n`,
  ],
  [
    'a session (SDP)',
    () => 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\n',
  ],
  [
    'a presentation (DASH)',
    ({ url }) => `${xml}<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>${url}</BaseURL></MPD>`,
  ],
  [
    'a ZIP archive',
    () => Buffer.concat([ascii('PK\x03\x04'), Buffer.alloc(26), ascii('PK\x05\x06'), Buffer.alloc(18)]),
  ],
  ['a Photoshop file', () => Buffer.concat([ascii('8BPS'), u16(1), Buffer.alloc(64)])],
  [
    'JPEG 2000',
    () =>
      Buffer.concat([u32(12), ascii('jP  \r\n\x87\n'), u32(20), ascii('ftypjp2 '), u32(0), ascii('jp2 ')]),
  ],
  [
    'JPEG XL',
    () =>
      Buffer.concat([u32(12), ascii('JXL \r\n\x87\n'), u32(20), ascii('ftypjxl '), u32(0), ascii('jxl ')]),
  ],
  [
    'Matroska with an attachment',
    ({ file }) => Buffer.concat([ebml('matroska'), Buffer.from([0x19, 0x41, 0xa4, 0x69, 0x88]), ascii(file)]),
  ],
  ['WebM', () => ebml('webm')],
  ['AVI', () => Buffer.concat([ascii('RIFF'), u32(0xffffff), ascii('AVI LIST'), Buffer.alloc(64)])],
  ['Flash video', () => Buffer.concat([ascii('FLV'), Buffer.from([1, 5, 0, 0, 0, 9]), Buffer.alloc(64)])],
  [
    'a transport stream',
    () =>
      Buffer.concat(
        Array.from({ length: 8 }, () =>
          Buffer.concat([Buffer.from([0x47, 0x40, 0, 0x10]), Buffer.alloc(184)]),
        ),
      ),
  ],
  ['sound (WAV)', () => Buffer.concat([ascii('RIFF'), u32(0x24000000), ascii('WAVEfmt '), Buffer.alloc(64)])],
  ['sound (M4A)', () => ftyp('M4A ')],
  ['zeros', () => Buffer.alloc(1_000_000)],
]

export const foreignRows: Row[] = kinds.map(([what, make]) => ({
  what,
  outcome: 'media_type_unsupported',
  make,
}))
