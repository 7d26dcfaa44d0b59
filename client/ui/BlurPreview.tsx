import { useEffect, useRef } from 'react'
import { thumbHashToRGBA } from 'thumbhash'
import styles from './BlurPreview.module.css'

/** The longest that previews are painted before the processor is left to something else, in milliseconds. */
const SLICE_MS = 4
const waiting = new Set<() => void>()

/** Does it soon, with others as far as they fit in a slice: a wall has many, and together they would hold up a finger. */
function later(work: () => void): () => void {
  if (waiting.size === 0) setTimeout(workOff)
  waiting.add(work)
  return () => void waiting.delete(work)
}

function workOff(): void {
  const end = performance.now() + SLICE_MS
  for (const work of waiting) {
    waiting.delete(work)
    work()
    if (performance.now() > end) break
  }
  if (waiting.size > 0) setTimeout(workOff)
}

function paint(canvas: HTMLCanvasElement, hash: string): void {
  try {
    const bytes = Uint8Array.from(atob(hash), (character) => character.charCodeAt(0))
    const { w, h, rgba } = thumbHashToRGBA(bytes)
    canvas.width = w
    canvas.height = h
    canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0)
  } catch {
    canvas.width = 1
    canvas.height = 1
  }
}

/** Paints the few blurred pixels that a thumbhash (base64) stands for; nothing when it can't be read. */
export function BlurPreview({ hash }: { hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    const element = canvas.current
    if (element && hash !== '') return later(() => paint(element, hash))
  }, [hash])

  return <canvas ref={canvas} className={styles.preview} width={1} height={1} aria-hidden />
}
