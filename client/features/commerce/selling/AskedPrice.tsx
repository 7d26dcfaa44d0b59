import { useQuery } from '@tanstack/react-query'
import { Card } from '../../../ui/Card.tsx'
import { formatDate } from '../../../ui/format.ts'
import { priceChangeQuery } from './api.ts'
import { raiseTexts as texts } from './texts.ts'

/** The higher price that subscribers are asked for, with how many agreed; nothing without one. */
export function AskedPrice({ subscriptionId }: { subscriptionId: string }) {
  const change = useQuery(priceChangeQuery(subscriptionId)).data?.change
  if (!change) return null
  return (
    <Card>
      <h2>{texts.asked(change.price)}</h2>
      <p>{texts.answers(change)}</p>
      <p>{texts.askedOn(formatDate(change.askedAt))}</p>
    </Card>
  )
}
