import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { centsOf, formatMoney } from '../../../../contract/money.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Money } from '../../../ui/Money.tsx'
import { Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { ReauthenticationProvider } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { type Balance, balanceQuery, bankDetailsQuery, payoutsQuery } from './api.ts'
import { BankAccount } from './BankAccount.tsx'
import { PayoutItem } from './PayoutItem.tsx'
import styles from './payouts.module.css'
import { RequestPayout } from './RequestPayout.tsx'
import { payoutTexts as texts } from './texts.ts'

/** Comes when it is first opened: countries and checks are no part of the page. */
const BankDetailsDialog = lazyPart(async () => (await import('./BankDetailsDialog.tsx')).BankDetailsDialog)

/** A person's balances and requested payouts; `always`: even while there is nothing. */
export function PayoutBalance({ always }: { always: boolean }) {
  const balance = useQuery(balanceQuery)
  const { data: bank } = useQuery(bankDetailsQuery)
  return (
    <Fetched query={balance} waiting={always ? <SkeletonLines lines={4} /> : null} failed={texts.failed}>
      {(data) => (always || !isEmpty(data)) && <Shown balance={data} bank={bank} />}
    </Fetched>
  )
}

type ShownProps = { balance: Balance; bank: Parameters<typeof BankAccount>[0]['details'] | undefined }

function Shown({ balance, bank }: ShownProps) {
  const [asking, setAsking] = useState(false)
  const [editing, setEditing] = useState<'bank' | 'payout' | null>(null)
  const wasEditing = useLatch(editing !== null)
  const isEnough = centsOf(balance.available) >= centsOf(balance.minimum)
  return (
    <Section
      title={texts.title}
      action={
        isEnough && (
          <Button size="sm" onClick={() => (bank === null ? setEditing('payout') : setAsking(true))}>
            {texts.request}
          </Button>
        )
      }
    >
      <dl className={styles.figures}>
        <Figure label={texts.available} value={balance.available} first />
        <Figure label={texts.pending} value={balance.pending} />
        {centsOf(balance.reserved) !== 0 && <Figure label={texts.reserved} value={balance.reserved} />}
        <Figure label={texts.onTheWay} value={balance.onTheWay} />
        <Figure label={texts.paidOut} value={balance.paidOut} />
      </dl>
      <p className={styles.hint}>{hintOf(balance, isEnough)}</p>
      {bank !== undefined && <BankAccount details={bank} onEdit={() => setEditing('bank')} />}
      <Payouts />
      <ReauthenticationProvider>
        <RequestPayout balance={balance} opened={asking} onClose={() => setAsking(false)} />
        {wasEditing && (
          <BankDetailsDialog
            opened={editing !== null}
            onClose={() => setEditing(null)}
            // A hold of new details is at the export: a payout may be requested meanwhile.
            onSaved={() => setAsking(editing === 'payout')}
          />
        )}
      </ReauthenticationProvider>
    </Section>
  )
}

function isEmpty({ minimum: _, ...amounts }: Balance): boolean {
  return Object.values(amounts).every((amount) => centsOf(amount) === 0)
}

function hintOf(balance: Balance, isEnough: boolean): string {
  const owed = -centsOf(balance.available)
  const hints: string[] = [owed > 0 ? texts.owed(formatMoney(owed)) : texts.pendingHint]
  // Whether what is on hold would make up for it isn't known: it may have been pending.
  if (centsOf(balance.reserved) !== 0) hints.push(texts.reservedHint)
  if (owed <= 0 && !isEnough) hints.push(texts.belowMinimum(balance.minimum))
  return hints.join(' ')
}

function Figure({ label, value, first = false }: { label: string; value: string; first?: boolean }) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd>
        <Money cents value={value} look={first ? 'earned' : 'plain'} />
      </dd>
    </div>
  )
}

/** Above other things, so that more comes by a button; nothing before the first request. */
function Payouts() {
  const list = useList(payoutsQuery)
  return (
    <GrowingList list={list} failed={texts.payoutsFailed} waiting={null} empty={null} byButton>
      <h3 className={styles.heading}>{texts.payouts}</h3>
      <ul className={styles.list} aria-label={texts.payouts}>
        {list.items.map((payout) => (
          <PayoutItem key={payout._id} payout={payout} />
        ))}
      </ul>
    </GrowingList>
  )
}
