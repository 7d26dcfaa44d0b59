import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Plugin } from 'vite'

const PUBLIC = join(import.meta.dirname, '..', 'public')

/** Of which drawing, and how large; phones round the corners of the maskable one by themselves. */
const ICONS = [
  { fileName: 'icon-192.png', drawing: 'favicon.svg', size: 192 },
  { fileName: 'icon-512.png', drawing: 'favicon.svg', size: 512 },
  { fileName: 'icon-maskable-512.png', drawing: 'icon-maskable.svg', size: 512 },
  { fileName: 'apple-touch-icon.png', drawing: 'icon-maskable.svg', size: 180 },
] as const

/** Draws the icons of the installed app, which systems want as PNG. */
export function appIcons(): Plugin {
  return {
    name: 'app-icons',
    apply: 'build',
    async generateBundle() {
      for (const { fileName, drawing, size } of ICONS) {
        const svg = await readFile(join(PUBLIC, drawing))
        // Drawn large enough, so that nothing is scaled up.
        const source = await sharp(svg, { density: (72 * size) / 64 })
          .resize(size, size)
          .png()
          .toBuffer()
        this.emitFile({ type: 'asset', fileName, source })
      }
    },
  }
}
