import { useEffect, useRef } from 'react'
import { thumbHashToRGBA } from 'thumbhash'
import styles from './BlurPreview.module.css'

/** Paints the few blurred pixels that a thumbhash (base64) stands for; nothing when it can't be read. */
export function BlurPreview({ hash }: { hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context || hash === '') return
    try {
      const bytes = Uint8Array.from(atob(hash), (character) => character.charCodeAt(0))
      const { w, h, rgba } = thumbHashToRGBA(bytes)
      element.width = w
      element.height = h
      context.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0)
    } catch {
      element.width = 1
      element.height = 1
    }
  }, [hash])

  return <canvas ref={canvas} className={styles.preview} width={1} height={1} aria-hidden />
}
