import { BASE_PERCENT, FIRST_MONTHS, FIRST_PERCENT, rateAfter } from '../../../contract/commissions.ts'
import { formatMoney } from '../../../contract/money.ts'
import { withCents } from '../../ui/format.ts'
import styles from './RateChart.module.css'
import { rateTexts } from './texts.tsx'

const LAST_MONTH = 72
const WIDTH = 360
const HEIGHT = 132
const TOP = 26
const BOTTOM = HEIGHT - 22
/** The line still falls where the label begins. */
const LABEL_GAP = 16
const SHOWN_YEARS = [0, 1, 2, 3, 4, 5] as const

const x = (month: number) => (month / LAST_MONTH) * WIDTH
const y = (percent: number) => BOTTOM - (percent / FIRST_PERCENT) * (BOTTOM - TOP)
const line = Array.from({ length: LAST_MONTH + 1 }, (_, month) => `${x(month)},${y(rateAfter(month))}`).join(
  ' ',
)

/** How the commission on one person changes over the years, as a line with its labels and as a table. */
export function RateChart() {
  return (
    <figure className={styles.figure}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.chart} aria-hidden="true">
        <line x1="0" x2={WIDTH} y1={BOTTOM} y2={BOTTOM} className={styles.axis} />
        <polyline points={line} className={styles.line} />
        <text x="0" y={y(FIRST_PERCENT) - 8} className={styles.label}>
          {rateTexts.first(FIRST_PERCENT)}
        </text>
        <text x={WIDTH} y={y(BASE_PERCENT) - LABEL_GAP} className={styles.label} textAnchor="end">
          {rateTexts.base(BASE_PERCENT)}
        </text>
        {SHOWN_YEARS.slice(1).map((year) => (
          <text
            key={year}
            x={x(year * FIRST_MONTHS)}
            y={HEIGHT - 4}
            className={styles.tick}
            textAnchor="middle"
          >
            {rateTexts.year(year)}
          </text>
        ))}
      </svg>
      <table className={styles.table}>
        <caption className={styles.caption}>{rateTexts.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{rateTexts.signedUp}</th>
            <th scope="col">{rateTexts.rate}</th>
            <th scope="col">{rateTexts.ofHundred}</th>
          </tr>
        </thead>
        <tbody>
          {SHOWN_YEARS.map((year) => {
            const percent = rateAfter(year * FIRST_MONTHS)
            return (
              <tr key={year}>
                <th scope="row">{rateTexts.ago(year)}</th>
                <td>{percent}%</td>
                <td>{withCents(formatMoney(Math.round(percent * 100)))}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </figure>
  )
}
