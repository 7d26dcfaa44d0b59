import { createServer, type Server } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import sharp from 'sharp'

const compress = promisify(gzip)
const POSTS = 12
/** About what the pictures of a blog's home weigh. */
const PICTURE = { width: 600, height: 400, quality: 80 }
/** About what the default theme of such a blog brings, in bytes before compression. */
const STYLE_BYTES = 36_000
const SCRIPT_BYTES = 12_000

const STYLE = `*{box-sizing:border-box}body{margin:0;font:18px/1.6 Georgia,serif;color:#15171a}
header{display:flex;gap:24px;align-items:center;height:80px;padding:0 4vmin;font-family:system-ui}
header b{font-size:24px;margin-right:auto}.cover{padding:8vmin 4vmin;text-align:center}.cover h1{margin:0;font-size:42px;line-height:1.1}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:40px;max-width:1200px;margin:auto;padding:4vmin}
article img{display:block;width:100%;height:auto;aspect-ratio:3/2;border-radius:6px}article h2{margin:16px 0 4px;font:700 22px/1.2 system-ui}article p{margin:0}`

type File = { type: string; body: Buffer; compressed: boolean }

/**
 * A home as a blog like Ghost sends it, from memory: rendered on the server, one style sheet, a header, a headline, a
 * dozen posts with pictures, one small script that waits. What a page of ours is compared with in the same run.
 */
export async function startPlainSite(): Promise<{ origin: string; server: Server }> {
  const files = new Map<string, File>()
  const text = async (path: string, type: string, body: string) =>
    files.set(path, { type, body: await compress(body), compressed: true })
  await Promise.all([
    text('/', 'text/html; charset=utf-8', home()),
    text('/screen.css', 'text/css', padded(STYLE, STYLE_BYTES, themeRule)),
    text('/theme.js', 'text/javascript', padded('"use strict";', SCRIPT_BYTES, themeFunction)),
    ...Array.from({ length: POSTS }, async (_, post) =>
      files.set(`/${post}.jpg`, { type: 'image/jpeg', body: await picture(post), compressed: false }),
    ),
  ])
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (!file) return response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': file.type,
      'cache-control': 'public, max-age=31536000',
      ...(file.compressed ? { 'content-encoding': 'gzip' } : {}),
    })
    return response.end(file.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { origin: `http://localhost:${typeof address === 'object' ? address?.port : 0}`, server }
}

function home(): string {
  const words = 'A few words on what stands behind this picture, as a blog has them below each of its posts.'
  const posts = Array.from({ length: POSTS }, (_, post) => {
    const image = `<img src="/${post}.jpg" width="600" height="400" alt=""${post > 2 ? ' loading="lazy"' : ''}>`
    return `<article><a href="/${post}/">${image}</a><h2>Post number ${post + 1}</h2><p>${words}</p></article>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A plain home</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="stylesheet" href="/screen.css"></head>
<body><header><b>A plain home</b><a href="/about/">About</a><a href="/signin/">Sign in</a></header>
<div class="cover"><h1>Thoughts, stories, and pictures.</h1></div><main>${posts.join('\n')}</main>
<script src="/theme.js" defer></script></body></html>`
}

const themeRule = (at: number) =>
  `.theme-part-${at}>.inside:not(:last-child){margin:0 ${at % 40}px ${(at * 7) % 40}px;padding:${at % 9}px;font-size:${12 + (at % 9)}px}\n`
const themeFunction = (at: number) =>
  `function part${at}(root){const found=root.querySelectorAll(".theme-part-${at}");for(const one of found)one.classList.add("ready")}part${at}(document);\n`

/** The text and as many lines more as make it so long. */
function padded(text: string, bytes: number, line: (at: number) => string): string {
  let whole = text
  for (let at = 0; whole.length < bytes; at++) whole += line(at)
  return whole
}

/** Slopes of color with grain, so that it weighs as much as a photo: some 65 kB. */
async function picture(post: number): Promise<Buffer> {
  const { width, height, quality } = PICTURE
  const pixels = Buffer.alloc(width * height * 3)
  let seed = post + 1
  for (let at = 0; at < pixels.length; at++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)]
    const grain = Math.floor(seed / 65_536) % 64
    pixels[at] = 20 + ((x * (1 + (at % 3))) / width) * 40 + (y / height) * 60 + grain
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer()
}
