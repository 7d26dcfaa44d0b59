import { IconCoin } from '@tabler/icons-react'
import { Tag } from '../../../ui/Tag.tsx'
import type { Message } from '../cache/timeline.ts'
import styles from './custom-requests.module.css'
import { tipTexts as texts } from './texts.ts'

type TipLineProps = {
  tip: NonNullable<Message['tip']>
  /** The sender; null for oneself. */
  from: string | null
}

/** Money that one of the two sent, in place of words. */
export function TipLine({ tip, from }: TipLineProps) {
  return (
    <p className={styles.tip}>
      <IconCoin size={20} stroke={1.75} aria-hidden />
      {from === null ? texts.sent(tip.amount) : texts.received(from, tip.amount)}
      {tip.refunded && <Tag>{texts.refunded}</Tag>}
    </p>
  )
}
