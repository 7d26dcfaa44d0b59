import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { applyLook, axeViolations, overflows } from '../looks.ts'
import { DESK, PHONE, type Window } from '../window.ts'

/** A long walk through the product that tells of each step, and keeps pictures of what was seen. */
export type Walk = {
  /** Whose window is pictured when a step fails. */
  follows(window: Window): void
  /** Does one step and prints what was seen and how long it took; one that fails is told, and the walk goes on. */
  step(name: string, work: () => Promise<string>): Promise<void>
  /** Notes that something is not as it should be, without ending the step. */
  wrong(sentence: string): void
  /** Keeps a picture of the window as it is. */
  picture(window: Window, name: string): Promise<void>
  /** Keeps pictures at both sizes, dark and light, and checks each: what can't be reached, what is too wide. */
  looks(window: Window, name: string): Promise<void>
  /** Prints how it went; answers the exit code. */
  end(): number
}

const LOOKS = [
  { name: '390-dark', viewport: PHONE, colorScheme: 'dark' },
  { name: '390-light', viewport: PHONE, colorScheme: 'light' },
  { name: '1440-light', viewport: DESK, colorScheme: 'light' },
  { name: '1440-dark', viewport: DESK, colorScheme: 'dark' },
] as const

/** Begins a walk whose pictures go into that folder. */
export async function beginWalk(title: string, folder: string): Promise<Walk> {
  await mkdir(folder, { recursive: true })
  const wrong: string[] = []
  let steps = 0
  let pictures = 0
  let followed: Window | null = null
  const begin = performance.now()
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1).padStart(6)} s`
  const keep = async ({ page }: Window, name: string, suffix: string) => {
    pictures += 1
    const path = join(folder, `${String(pictures).padStart(3, '0')}-${name}-${suffix}.jpg`)
    await page.screenshot({ path, type: 'jpeg', quality: 80, scale: 'css' })
  }
  say(title)
  const tellWrong = (sentence: string) => {
    wrong.push(sentence)
    say(`          WRONG: ${sentence}`)
  }
  return {
    follows(window) {
      followed = window
    },
    async step(name, work) {
      steps += 1
      const since = performance.now()
      try {
        say(`${seconds(since)}  ${name} …`)
        const seen = await work()
        say(`${seconds(since)}  ${name}: ${seen}`)
      } catch (error) {
        const [reason = ''] = String(error instanceof Error ? error.stack : error).split('\n    at ')
        wrong.push(`${name}: ${reason}`)
        say(`${seconds(since)}  ${name}: FAILED, ${reason}`)
        if (followed) await keep(followed, name.replaceAll(' ', '-'), 'failed').catch(() => undefined)
      }
    },
    wrong: tellWrong,
    picture: (window, name) => keep(window, name, 'as-it-was'),
    async looks(window, name) {
      const before = window.page.viewportSize() ?? DESK
      for (const look of LOOKS) {
        await applyLook(window, look)
        await keep(window, name, look.name)
        const found = [...(await axeViolations(window)), ...(await overflows(window))]
        for (const sentence of found) tellWrong(`${name} at ${look.name}: ${sentence}`)
      }
      await applyLook(window, { viewport: before, colorScheme: 'dark' })
    },
    end() {
      say(`${seconds(begin)}  ${steps} steps, ${pictures} pictures in ${folder}, ${wrong.length} wrong`)
      for (const sentence of wrong) say(`  - ${sentence}`)
      return wrong.length === 0 ? 0 : 1
    },
  }
}
