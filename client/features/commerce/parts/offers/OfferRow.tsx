import type { ReactNode } from 'react'
import { Price } from '../../../../ui/Money.tsx'
import styles from './OfferRow.module.css'

type OfferRowProps = {
  /** The id of the row in the document. */
  id?: string
  title: string
  /** Money text. */
  price: string
  /** The price for people who own none of it. */
  fullPrice?: string
  /** The unit of the price, for example `per month`. */
  period?: string
  /** Its description. */
  description?: string
  /** Its content, in one line. */
  facts: ReactNode
  /** A small picture beside the words. */
  picture?: ReactNode
  /** Buy it, or what stands in place of buying. */
  action: ReactNode
  /** More under the row, for example what is inside. */
  children?: ReactNode
}

/** One thing that can be bought: what it is, what it costs, and the button. */
export function OfferRow({
  id,
  title,
  price,
  fullPrice,
  period,
  description,
  facts,
  picture,
  action,
  children,
}: OfferRowProps) {
  return (
    <li id={id} className={styles.offer}>
      <div className={styles.row} data-picture={picture !== undefined || undefined}>
        {picture && <div className={styles.picture}>{picture}</div>}
        <div className={styles.words}>
          <p className={styles.title}>{title}</p>
          <div className={styles.facts}>{facts}</div>
          {description && <p className={styles.description}>{description}</p>}
        </div>
        <p className={styles.price}>
          <Price value={price} instead={fullPrice} />
          {period && <span className={styles.period}> {period}</span>}
        </p>
        <div className={styles.action}>{action}</div>
      </div>
      {children}
    </li>
  )
}

/** A creator's products, one below the other. */
export function OfferList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  )
}
