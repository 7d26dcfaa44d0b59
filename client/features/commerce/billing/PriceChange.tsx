import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { toast } from '../../../ui/toast.ts'
import type { OwnSubscription } from '../parts/subscriptions/api.ts'
import { everyTerm } from '../parts/texts.ts'
import { useAnswerPriceChange } from './api.ts'
import styles from './billing.module.css'
import { billingTexts } from './texts.ts'

const texts = billingTexts.priceChange

type Change = NonNullable<OwnSubscription['priceChange']>
type PriceChangeProps = { subscription: OwnSubscription; change: Change }

/** The higher price that a creator asks for, to agree to or to decline; either can be taken back until it is due. */
export function PriceChange({ subscription, change }: PriceChangeProps) {
  const { _id: subscriptionId, title, creator } = subscription
  const { price, months, answer } = change
  const cost = everyTerm(price, months)
  const [asking, setAsking] = useState(false)
  const send = useAnswerPriceChange()
  const say = async (agree: boolean) => {
    const answered = await send.mutateAsync({ subscriptionId, agree, price })
    toast.success(stateOf(answered, { ...change, answer: agree ? 'agreed' : 'declined' }))
  }
  const sayAtOnce = (agree: boolean) =>
    say(agree).catch((error: unknown) => toast.failure(errorMessage(error)))
  return (
    <section className={styles.change} aria-label={texts.title(creator.username, cost)}>
      <p className={styles.name}>{texts.title(creator.username, cost)}</p>
      <p>{stateOf(subscription, change)}</p>
      <div className={styles.answers}>
        {answer !== 'agreed' && (
          <Button
            size="sm"
            aria-label={texts.agreeNamed(price, title)}
            loading={send.isPending && send.variables.agree}
            onClick={() => void sayAtOnce(true)}
          >
            {texts.agree(price)}
          </Button>
        )}
        {answer !== 'declined' && (
          <Button
            size="sm"
            variant="default"
            aria-label={texts.declineNamed(price, title)}
            loading={send.isPending && !send.variables.agree}
            onClick={() => (isDue(change) ? setAsking(true) : void sayAtOnce(false))}
          >
            {texts.decline}
          </Button>
        )}
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.asked.title(price)}
        confirmLabel={texts.decline}
        cancelLabel={texts.asked.keep}
        onConfirm={() => say(false)}
        destructive
      >
        {texts.asked.effect}
      </ConfirmDialog>
    </section>
  )
}

/** Whether the charge that it was to begin with is due, so that declining it ends the subscription. */
const isDue = ({ on }: Change) => new Date(on) <= serverNow()

/** What the price and the answer to it mean for what is charged. */
function stateOf(subscription: OwnSubscription, change: Change): string {
  const cost = everyTerm(change.price, change.months)
  const date = formatDate(change.on)
  const due = isDue(change)
  if (change.answer === 'agreed') return due ? texts.agreedDue(cost) : texts.agreed(cost, date)
  if (change.answer === 'declined')
    return due ? texts.declinedDue : texts.declined(costNow(subscription), date)
  return due ? texts.openDue(cost) : texts.open(costNow(subscription), date)
}

/** What the next charge is, as long as the higher price isn't agreed to. */
function costNow(subscription: OwnSubscription): string {
  const { price, months } = subscription.owed ?? subscription.next ?? subscription
  return everyTerm(price, months)
}
