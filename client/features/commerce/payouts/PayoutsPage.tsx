import { IconCash, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { centsOf, formatMoney } from '../../../../contract/money.ts'
import { payoutRoutes } from '../../../../contract/routes/commerce/payouts.ts'
import { useKeyed } from '../../../lib/idempotency-key.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { download } from '../../../ui/download.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { withCents } from '../../../ui/format.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { ReasonDialog } from '../../../ui/ReasonDialog.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import {
  type AnyPayout,
  allPayoutsQuery,
  type DecisionValues,
  useDecidePayout,
  useExportPayouts,
} from './api.ts'
import { CancelCommissions } from './CancelCommissions.tsx'
import { EarlierExports } from './EarlierExports.tsx'
import { OpenStatement } from './OpenStatement.tsx'
import { holdSentence, PayoutItem } from './PayoutItem.tsx'
import styles from './payouts.module.css'
import { cancelTexts, decisions, statementTexts, operatorTexts as texts } from './texts.ts'

type Decision = DecisionValues['decision']
type Asked = { payout: AnyPayout; decision: Decision }

/** The possible next steps. */
const STEPS: Partial<Record<AnyPayout['status'], Decision[]>> = {
  requested: ['approve', 'cancel'],
  approved: ['cancel'],
  in_transit: ['paid', 'failed'],
  paid: ['returned'],
}

/** Those that another operator has to take. */
const FOR_ANOTHER: Record<NonNullable<AnyPayout['needsAnother']>, Decision[]> = {
  own: ['approve', 'failed', 'returned'],
  recovery: ['approve'],
}

function stepsOf({ status, accountFlags, needsAnother }: AnyPayout): Decision[] {
  const others = needsAnother ? FOR_ANOTHER[needsAnother] : []
  return (STEPS[status] ?? [])
    .filter((decision) => decision !== 'approve' || !accountFlags.includes('suspended'))
    .filter((decision) => !others.includes(decision))
}

const WAITING: AnyPayout['status'][] = ['requested', 'approved', 'in_transit']

/** The steps that undo a payout. */
const DESTRUCTIVE: Decision[] = ['cancel', 'failed', 'returned']

/** Everyone's payouts with the operator's next step for each (docs/product.md, Payouts). */
export function Component() {
  const [showing, setShowing] = useState<'open' | 'all'>('open')
  const [asked, setAsked] = useState<Asked | null>(null)
  const [exporting, setExporting] = useState(false)
  const [canceling, setCanceling] = useState(false)
  const [opening, setOpening] = useState(false)
  const list = useList(allPayoutsQuery(showing))
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      action={
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
          onClick={() => setExporting(true)}
        >
          {texts.export}
        </Button>
      }
    >
      <div className={styles.filters}>
        <FilterButtons
          label={texts.showing}
          choices={[
            { value: 'open', label: texts.open },
            { value: 'all', label: texts.all },
          ]}
          value={showing}
          onChange={setShowing}
        />
        <div className={styles.tools}>
          <Button variant="default" onClick={() => setCanceling(true)}>
            {cancelTexts.open}
          </Button>
          <Button variant="default" onClick={() => setOpening(true)}>
            {statementTexts.open}
          </Button>
        </div>
      </div>
      <GrowingList
        list={list}
        // The earlier exports stand below.
        byButton
        moreLabel={texts.more}
        failed={texts.failed}
        waiting={<SkeletonLines lines={8} />}
        empty={
          <EmptyState Icon={IconCash} title={texts.none[showing]}>
            {texts.noneWhy}
          </EmptyState>
        }
      >
        {showing === 'open' && !list.hasNextPage && (
          <p className={styles.hint}>{texts.sum(list.items.length, totalOf(list.items))}</p>
        )}
        <ul className={styles.list} aria-label={texts.label}>
          {list.items.map((payout) => (
            <PayoutItem
              key={payout._id}
              payout={payout}
              username={payout.person.username}
              waits={waitsOf(payout)}
              bank={bankOf(payout)}
              hint={hintOf(payout)}
            >
              {stepsOf(payout).map((decision) => (
                <Step
                  key={decision}
                  payout={payout}
                  decision={decision}
                  onAsk={() => setAsked({ payout, decision })}
                />
              ))}
            </PayoutItem>
          ))}
        </ul>
      </GrowingList>
      <EarlierExports />
      <ReauthenticationProvider>
        {asked && <Deciding asked={asked} onClose={() => setAsked(null)} />}
        {exporting && <Exporting onClose={() => setExporting(false)} />}
        <OpenStatement opened={opening} onClose={() => setOpening(false)} />
        <CancelCommissions opened={canceling} onClose={() => setCanceling(false)} />
      </ReauthenticationProvider>
    </Page>
  )
}

const DAY_MS = 86_400_000

/** How many days a payout has waited for an operator or the bank; null on its first. */
function waitsOf({ status, requestedAt }: AnyPayout): string | null {
  const days = Math.floor((serverNow().getTime() - Date.parse(requestedAt)) / DAY_MS)
  return WAITING.includes(status) && days > 0 ? texts.waits(days) : null
}

function totalOf(payouts: readonly AnyPayout[]): string {
  return withCents(formatMoney(payouts.reduce((sum, { amount }) => sum + centsOf(amount), 0)))
}

/** Warnings before a decision. */
function hintOf({ accountFlags, owes, recovered, needsAnother }: AnyPayout): string | null {
  const hints = [
    needsAnother && texts.needsAnother[needsAnother],
    ...accountFlags.map((flag) => texts.accountFlags[flag]),
    owes && texts.owes(owes),
    recovered.length > 0 && texts.recovered(recovered),
  ]
  return hints.filter(Boolean).join(' ') || null
}

/** Of a payout that is still to be sent. */
function bankOf({ status, hold, bankLastFour }: AnyPayout): string {
  if (status !== 'requested' && status !== 'approved') return ''
  return [texts.bank(bankLastFour), holdSentence(hold, texts.holds)].filter(Boolean).join(' · ')
}

function Step({ payout, decision, onAsk }: Asked & { onAsk: () => void }) {
  const { button } = decisions[decision]
  return (
    <Button
      size="sm"
      variant={decision === 'approve' || decision === 'paid' ? 'filled' : 'default'}
      aria-label={`${button}, ${payout.person.username}, ${payout.amount}`}
      onClick={onAsk}
    >
      {button}
    </Button>
  )
}

function Deciding({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const decide = useDecidePayout(useReauthentication())
  const { payout, decision } = asked
  const words = decisions[decision]
  return (
    <ReasonDialog
      route={payoutRoutes.decidePayout}
      opened
      onClose={onClose}
      title={words.title(payout.amount, payout.person.username)}
      over="payout_changed"
      confirmLabel={words.button}
      destructive={DESTRUCTIVE.includes(decision)}
      onConfirm={async (reason) => {
        await decide.mutateAsync({ payoutId: payout._id, decision, reason })
        toast.success(words.done)
      }}
    >
      {words.effect}
    </ReasonDialog>
  )
}

function Exporting({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useExportPayouts(useReauthentication())
  const send = useKeyed(mutateAsync)
  return (
    <ReasonDialog
      route={payoutRoutes.exportPayouts}
      opened
      onClose={onClose}
      title={texts.exportTitle}
      confirmLabel={texts.exportConfirm}
      onConfirm={async (reason) => {
        const { csv, count, held, total } = await send({ reason })
        if (count === 0) return toast.failure(texts.nothingToExport(held))
        download(texts.file, csv, 'text/csv')
        toast.success(texts.exported(count, total, held))
      }}
    >
      {texts.exportEffect}
    </ReasonDialog>
  )
}
