import { useQuery } from '@tanstack/react-query'
import type { TermMonths } from '../../../../contract/subscriptions.ts'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { subscriptionQuery } from '../api.ts'
import type { Buyable } from '../parts/buyable.ts'
import styles from './PurchaseDialog.module.css'
import { purchaseTexts as texts } from './texts.ts'

type TermChoiceProps = {
  item: Buyable
  busy: boolean
  onChoose: (term: { months: TermMonths; price: string }) => void
}

/** For how many months a subscription is paid at a time; nothing where it is sold by the month alone. */
export function TermChoice({ item, busy, onChoose }: TermChoiceProps) {
  const { data } = useQuery(subscriptionQuery(item.itemId))
  const chosen = item.months ?? 1
  // Also without terms there is a way back from one that is gone.
  if (!data || (data.terms.length === 0 && chosen === 1)) return null
  const prices = new Map<TermMonths, string>([
    [1, data.price],
    ...data.terms.map(({ months, price }) => [months, price] as const),
  ])
  const choices = [
    { value: '1', label: texts.oneMonth(data.price) },
    ...data.terms.map(({ months, price, perMonth, discountPercent }) => ({
      value: String(months),
      label: texts.months(months, price),
      description: texts.saving(perMonth, discountPercent),
    })),
  ]
  return (
    <div className={styles.terms}>
      <ChoiceField
        label={texts.term}
        choices={choices}
        value={String(chosen)}
        onChange={(value) => {
          const months = Number(value) as TermMonths
          const price = prices.get(months)
          if (price && !busy) onChoose({ months, price })
        }}
      />
    </div>
  )
}
