import { type CSSProperties, useState } from 'react'
import styles from './Bars.module.css'
import { scaleOf } from './points.ts'

export type BarsProps = {
  label: string
  /** `tick` stands at the axis where there is room for it, `title` where one points at the bar. */
  points: readonly { key: string; tick: string; title: string; value: number }[]
  /** Their total, in a few words. */
  summary: string
  /** How a value is written. */
  format: (value: number) => string
}

/** Ticks that a wide chart has room for; a narrow one has every second of them. */
const TICKS = 8

/**
 * Bars over an axis. Pointing at one or tapping it says what it stands for; what they add up to is in the image's label,
 * and `Chart` has the same figures as a table.
 */
export function Bars({ label, summary, points, format }: BarsProps) {
  const { min, max, lines } = scaleOf(points.map(({ value }) => value))
  const percent = (value: number) => `${((value - min) / (max - min)) * 100}%`
  const [tapped, setTapped] = useState<string | null>(null)
  const step = Math.ceil(points.length / TICKS)
  return (
    <div role="img" aria-label={`${label}: ${summary}`} className={styles.chart}>
      <div className={styles.lines}>
        {lines.map((line) => (
          <span
            key={line}
            className={styles.line}
            data-zero={line === 0 || undefined}
            style={{ '--at': percent(line) } as CSSProperties}
          >
            {format(line)}
          </span>
        ))}
      </div>
      <div className={styles.bars}>
        {points.map(({ key, tick, title, value }, index) => (
          <div
            key={key}
            className={styles.column}
            data-tapped={key === tapped || undefined}
            onPointerUp={() => setTapped(key === tapped ? null : key)}
          >
            <span
              className={styles.bar}
              style={
                {
                  '--from': percent(Math.min(0, value)),
                  '--height': `${(Math.abs(value) / (max - min)) * 100}%`,
                } as CSSProperties
              }
            />
            {index % step === 0 && (
              <span className={styles.tick} data-extra={index % (2 * step) !== 0 || undefined}>
                {tick}
              </span>
            )}
            <span
              className={styles.tip}
              data-side={
                index < points.length / 4 ? 'start' : index > (points.length * 3) / 4 ? 'end' : 'middle'
              }
            >
              <b>{format(value)}</b> {title}
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}
