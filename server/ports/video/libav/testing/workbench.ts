import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { MediaProcessor } from '../../port.ts'
import { mediaProcessor } from '../adapter.ts'

/** A processor and a folder of its own for the tests of one file, both gone afterward. */
export function workbench() {
  const bench = { folder: '', processor: null as MediaProcessor | null, count: 0 }
  beforeAll(async () => {
    bench.folder = await mkdtemp(join(tmpdir(), 'fanfare-media-'))
    bench.processor = mediaProcessor({})
  })
  afterAll(async () => {
    await bench.processor?.close()
    await rm(bench.folder, { recursive: true, force: true })
  })

  async function emptyFolder(): Promise<string> {
    bench.count += 1
    const folder = join(bench.folder, `out-${bench.count}`)
    await mkdir(folder)
    return folder
  }

  return {
    folder: () => bench.folder,
    emptyFolder,
    /** Writes bytes under a name that may lie about them; answers the path. */
    async upload(name: string, bytes: Buffer | string): Promise<string> {
      const path = join(bench.folder, name)
      await writeFile(path, bytes)
      return path
    },
    /** Processes a file in a fresh folder; answers the outcome, what lies in the folder, and the progress told. */
    async process(path: string, processor = bench.processor) {
      if (!processor) throw new Error('used outside of a test')
      const outDir = await emptyFolder()
      const progress: number[] = []
      const outcome = await processor.process({
        path,
        outDir,
        onProgress: (percent) => progress.push(percent),
      })
      return { outcome, outDir, files: (await readdir(outDir)).sort(), progress }
    },
  }
}
