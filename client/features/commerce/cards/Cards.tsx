import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { Fold } from '../../../ui/Fold.tsx'
import { Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { cardsQuery, type StoredCard, useRemoveCard, useRenewByCard } from './api.ts'
import { CardDialog, tell } from './CardDialog.tsx'
import styles from './cards.module.css'
import { isChanged, pastDueQuery, shownOf, together } from './past-due.ts'
import { storedCardTexts as texts } from './texts.ts'

type Subscribed = { _id: string; renews: boolean }

/** A person's stored cards with what renews by each; `subscriptions` are those that still give access. */
export function Cards({ subscriptions }: { subscriptions: Subscribed[] }) {
  const cards = useQuery(cardsQuery)
  // Not in the card's row, which may go while another card is typed.
  const [replacing, setReplacing] = useState<{ card: StoredCard; opened: boolean } | null>(null)
  return (
    <Section title={texts.title} action={<AddCard />}>
      <Fetched query={cards} waiting={<SkeletonLines lines={2} />} failed={texts.failed}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState title={texts.none} compact>
              {texts.noneWhy}
            </EmptyState>
          ) : (
            <ul className={styles.list} aria-label={texts.title}>
              {data.map((card) => (
                <CardItem
                  key={card._id}
                  card={card}
                  subscriptions={subscriptions}
                  onReplace={() => setReplacing({ card, opened: true })}
                />
              ))}
            </ul>
          )
        }
      </Fetched>
      {replacing && (
        <CardDialog
          title={texts.replaceNamed(nameOf(replacing.card))}
          replaces={replacing.card._id}
          opened={replacing.opened}
          onClose={() => setReplacing({ ...replacing, opened: false })}
        />
      )}
    </Section>
  )
}

function AddCard() {
  const [adding, setAdding] = useState(false)
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setAdding(true)}>
        {texts.add}
      </Button>
      <CardDialog title={texts.add} opened={adding} onClose={() => setAdding(false)} />
    </>
  )
}

const nameOf = ({ brand, lastFour }: StoredCard) => texts.name(brand, lastFour)

type CardItemProps = { card: StoredCard; subscriptions: Subscribed[]; onReplace: () => void }

function CardItem({ card, subscriptions, onReplace }: CardItemProps) {
  const { _id, expires, expiry, renews } = card
  const name = nameOf(card)
  const isElsewhere = subscriptions.some(
    (subscription) => subscription.renews && !renews.some((own) => own._id === subscription._id),
  )
  const notes = [
    expires && (expiry === 'expired' ? texts.expired(expires) : texts.expires(expires)),
    renews.length === 1 && texts.renews(renewing(card)),
  ]
  return (
    <li className={styles.item}>
      <div>
        <p className={styles.name}>
          {name} {expiry === 'soon' && <Tag tone="warning">{texts.soon}</Tag>}
          {expiry === 'expired' && <Tag tone="bad">{texts.over}</Tag>}
        </p>
        <p className={styles.note}>{notes.filter(Boolean).join('\u00a0· ')}</p>
        {renews.length > 1 && (
          <Fold title={texts.renews(renewing(card))}>
            <ul className={styles.titles}>
              {renews.map((subscription) => (
                <li key={subscription._id}>{subscription.title}</li>
              ))}
            </ul>
          </Fold>
        )}
      </div>
      <div className={styles.buttons}>
        {isElsewhere && expiry !== 'expired' && <UseForRenewals cardId={_id} name={name} />}
        <Button variant="default" size="sm" aria-label={texts.replaceNamed(name)} onClick={onReplace}>
          {texts.replace}
        </Button>
        <Remove card={card} name={name} />
      </div>
    </li>
  )
}

/** The renewals on the card: a title, or their number. */
function renewing({ renews: [one, ...others] }: StoredCard): string {
  return one && others.length === 0 ? one.title : texts.subscriptions(others.length + 1)
}

/** What is past due is charged to the card at once, so that is asked before. */
function UseForRenewals({ cardId, name }: { cardId: string; name: string }) {
  const renew = useRenewByCard()
  const { data: pastDue = [], refetch } = useQuery(pastDueQuery)
  const [checking, setChecking] = useState(false)
  const [asking, setAsking] = useState(false)
  const use = async (shown: typeof pastDue) => {
    try {
      tell(await renew.mutateAsync({ cardId, pastDue: shownOf(shown) }), texts.chosen(name))
    } catch (error) {
      if (isChanged(error)) await refetch()
      throw error
    }
  }
  const ask = async () => {
    setChecking(true)
    try {
      // A renewal may have been declined since the page was read.
      const { data } = await refetch({ throwOnError: true })
      if (data?.length === 0) await use(data)
      else setAsking(true)
    } catch (error) {
      toast.failure(errorMessage(error))
    } finally {
      setChecking(false)
    }
  }
  return (
    <>
      <Button
        variant="default"
        size="sm"
        aria-label={texts.forRenewalsNamed(name)}
        loading={checking}
        onClick={() => void ask()}
      >
        {texts.forRenewals}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.forRenewalsAsked(name)}
        confirmLabel={pastDue.length === 0 ? texts.forRenewals : texts.charge(name)}
        onConfirm={() => use(pastDue)}
      >
        {pastDue.length === 0
          ? texts.nothingNow
          : [...pastDue.map(({ price, title }) => texts.chargedNow(price, title)), together(pastDue)].join(
              ' ',
            )}
      </ConfirmDialog>
    </>
  )
}

function Remove({ card, name }: { card: StoredCard; name: string }) {
  const [asking, setAsking] = useState(false)
  const remove = useRemoveCard()
  const confirm = async () => {
    await remove.mutateAsync(card._id)
    toast.success(texts.removed(name))
  }
  return (
    <>
      <Button
        variant="default"
        size="sm"
        aria-label={texts.removeNamed(name)}
        onClick={() => setAsking(true)}
      >
        {texts.remove}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.asked.title(name)}
        confirmLabel={texts.asked.confirm}
        cancelLabel={texts.asked.keep}
        onConfirm={confirm}
        destructive
      >
        {card.renews.length > 0 ? texts.asked.renews(renewing(card)) : texts.asked.effect}
      </ConfirmDialog>
    </>
  )
}
