import { type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './MovingPreview.module.css'

/** How long a pointer rests, or a finger presses, before the video moves, in milliseconds. */
const REST_MS = 250
const PRESS_MS = 400

/** Plays a video without sound over its tile while a pointer rests or a finger presses there. */
export function MovingPreview({ url, children }: { url: string; children: ReactNode }) {
  const [playing, setPlaying] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const begin = (wait: number) => {
    clearTimeout(timer.current)
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
      timer.current = setTimeout(() => setPlaying(true), wait)
  }
  const end = () => {
    clearTimeout(timer.current)
    setPlaying(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  return (
    <div
      className={styles.stage}
      onPointerEnter={(event) => event.pointerType === 'mouse' && begin(REST_MS)}
      onPointerDown={(event) => event.pointerType === 'touch' && begin(PRESS_MS)}
      onPointerUp={(event) => event.pointerType === 'touch' && end()}
      onPointerCancel={end}
      onPointerLeave={end}
    >
      {children}
      {playing && (
        // Its failing is no failure of the item: the poster stays.
        <video
          className={styles.video}
          src={url}
          muted
          loop
          autoPlay
          playsInline
          aria-hidden
          tabIndex={-1}
          onError={(event) => {
            event.stopPropagation()
            end()
          }}
        />
      )}
    </div>
  )
}
