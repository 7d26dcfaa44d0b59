import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { toast } from '../../../ui/toast.ts'
import type { OwnSubscription } from '../parts/subscriptions/api.ts'
import { everyTerm } from '../parts/texts.ts'
import { useAnswerPriceChange } from './api.ts'
import styles from './billing.module.css'
import { billingTexts } from './texts.ts'

const texts = billingTexts.priceChange

type PriceChangeProps = { subscription: OwnSubscription; change: NonNullable<OwnSubscription['priceChange']> }

/** The higher price that a creator asks for, to agree to or to decline; either can be taken back until it is charged. */
export function PriceChange({ subscription, change }: PriceChangeProps) {
  const { _id: subscriptionId, title, creator } = subscription
  const { price, months, on, answer } = change
  const cost = everyTerm(price, months)
  const date = formatDate(on)
  const send = useAnswerPriceChange()
  const say = (agree: boolean) =>
    send.mutate(
      { subscriptionId, agree, price },
      {
        onSuccess: (answered) =>
          toast.success(agree ? texts.agreed(cost, date) : texts.declined(costNow(answered), date)),
        onError: (error) => toast.failure(errorMessage(error)),
      },
    )
  return (
    <section className={styles.change} aria-label={texts.title(creator.username, cost)}>
      <p className={styles.name}>{texts.title(creator.username, cost)}</p>
      <p>
        {answer === 'agreed' && texts.agreed(cost, date)}
        {answer === 'declined' && texts.declined(costNow(subscription), date)}
        {answer === null && texts.open(costNow(subscription), date)}
      </p>
      <div className={styles.answers}>
        {answer !== 'agreed' && (
          <Button
            size="sm"
            aria-label={texts.agreeNamed(price, title)}
            loading={send.isPending && send.variables.agree}
            onClick={() => say(true)}
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
            onClick={() => say(false)}
          >
            {texts.decline}
          </Button>
        )}
      </div>
    </section>
  )
}

/** What the next charge is, as long as the higher price isn't agreed to. */
function costNow(subscription: OwnSubscription): string {
  const { price, months } = subscription.owed ?? subscription.next ?? subscription
  return everyTerm(price, months)
}
