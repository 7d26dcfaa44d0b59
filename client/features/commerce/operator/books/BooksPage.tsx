import { IconBook2, IconDownload, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adjustmentRoutes } from '../../../../../contract/routes/commerce/adjustments.ts'
import { useSession } from '../../../../lib/session.tsx'
import { Button } from '../../../../ui/core/Button.tsx'
import { saveFile } from '../../../../ui/download.ts'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Fetched } from '../../../../ui/Fetched.tsx'
import { FilterButtons } from '../../../../ui/FilterButtons.tsx'
import { formatDate, withCents } from '../../../../ui/format.ts'
import { GrowingList } from '../../../../ui/list/GrowingList.tsx'
import { useList } from '../../../../ui/list/use-list.ts'
import { Money } from '../../../../ui/Money.tsx'
import { Page, Section } from '../../../../ui/Page.tsx'
import { ReasonDialog } from '../../../../ui/ReasonDialog.tsx'
import { SkeletonLines } from '../../../../ui/Skeleton.tsx'
import { Tag } from '../../../../ui/Tag.tsx'
import { toast } from '../../../../ui/toast.ts'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { Facts } from '../Facts.tsx'
import styles from '../operator.module.css'
import { AdjustmentDialog } from './AdjustmentDialog.tsx'
import {
  type Adjustment,
  adjustmentsQuery,
  booksQuery,
  fetchAdjustments,
  useDecideAdjustment,
} from './api.ts'
import { MonthOfBooks } from './MonthOfBooks.tsx'
import {
  accountTexts,
  adjustmentStatusTexts,
  adjustmentTexts,
  decisions,
  booksTexts as texts,
} from './texts.ts'

type Asked = { adjustment: Adjustment; decision: keyof typeof decisions }

/**
 * The balances of the platform's own accounts, and their adjustments by statements and bills (docs/product.md,
 * Money).
 */
export function Component() {
  const [showing, setShowing] = useState<'open' | 'all'>('all')
  const [adding, setAdding] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const list = useList(adjustmentsQuery(showing))
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      action={
        <Button
          leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {adjustmentTexts.add}
        </Button>
      }
    >
      <Accounts />
      <MonthOfBooks />
      <Section title={texts.adjustments} action={<Download />}>
        <FilterButtons
          label={texts.showing}
          choices={[
            { value: 'all', label: texts.all },
            { value: 'open', label: texts.open },
          ]}
          value={showing}
          onChange={setShowing}
        />
        <GrowingList
          list={list}
          failed={texts.failed}
          waiting={<SkeletonLines lines={6} />}
          empty={
            <EmptyState Icon={IconBook2} title={showing === 'all' ? texts.none : texts.noneOpen}>
              {showing === 'all' ? texts.noneWhy : texts.noneOpenWhy}
            </EmptyState>
          }
        >
          <ul className={styles.list} aria-label={texts.adjustments}>
            {list.items.map((adjustment) => (
              <Row
                key={adjustment._id}
                adjustment={adjustment}
                onAsk={(decision) => setAsked({ adjustment, decision })}
              />
            ))}
          </ul>
        </GrowingList>
      </Section>
      <ReauthenticationProvider>
        <AdjustmentDialog opened={adding} onClose={() => setAdding(false)} />
        {asked && <Deciding {...asked} onClose={() => setAsked(null)} />}
      </ReauthenticationProvider>
    </Page>
  )
}

function Accounts() {
  const books = useQuery(booksQuery)
  return (
    <Section title={texts.accounts}>
      <Fetched query={books} failed={texts.accountsFailed}>
        {(data) => (
          <>
            <Facts
              facts={[
                { label: accountTexts.bank, value: <Money cents value={data.bank} /> },
                { label: accountTexts.processor_fees, value: <Money cents value={data.processorFees} /> },
                { label: accountTexts.dispute_fees, value: <Money cents value={data.disputeFees} /> },
                { label: accountTexts.suspense, value: <Money cents value={data.suspense} /> },
              ]}
            />
            <p className={styles.note}>{texts.accountsHint}</p>
            {data.suspenseHeld !== '$0' && (
              <p className={styles.note}>{texts.suspenseHeld(withCents(data.suspenseHeld))}</p>
            )}
          </>
        )}
      </Fetched>
    </Section>
  )
}

function Download() {
  const { mutate, isPending } = useMutation({
    mutationFn: fetchAdjustments,
    onSuccess: ({ name, blob }) => saveFile(name, blob),
    onError: ({ message }) => toast.failure(message),
  })
  return (
    <Button
      size="sm"
      variant="default"
      leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {texts.download}
    </Button>
  )
}

const TONES = { posted: 'good', proposed: 'warning', declined: 'neutral' } as const

type RowProps = { adjustment: Adjustment; onAsk: (decision: Asked['decision']) => void }

function Row({ adjustment, onAsk }: RowProps) {
  const { from, to, amount, reference, date, reason, status } = adjustment
  const { proposedBy, proposedAt, decidedBy, decisionReason } = adjustment
  return (
    <li className={styles.row}>
      <div>
        <p className={styles.name}>
          {texts.moved(from, to)} · <Money cents value={amount} />
        </p>
        <p>{reason}</p>
        <p className={styles.note}>
          {[reference, formatDate(date), texts.entered(proposedBy.username, formatDate(proposedAt))].join(
            '\u00a0· ',
          )}
        </p>
        {status !== 'proposed' && decidedBy && (
          <p className={styles.note}>{texts.decided[status](decidedBy.username, decisionReason ?? '')}</p>
        )}
      </div>
      <Tag tone={TONES[status]}>{adjustmentStatusTexts[status]}</Tag>
      {status === 'proposed' && <Steps adjustment={adjustment} onAsk={onAsk} />}
    </li>
  )
}

/** Nobody approves their own. */
function Steps({ adjustment, onAsk }: RowProps) {
  const { currentUser } = useSession()
  const isOwn = adjustment.proposedBy._id === currentUser?._id
  const steps = isOwn ? (['takeBack'] as const) : (['approve', 'decline'] as const)
  return (
    <div className={styles.actions}>
      {steps.map((decision) => (
        <Button
          key={decision}
          size="sm"
          variant={decision === 'approve' ? 'filled' : 'default'}
          aria-label={`${decisions[decision].button}, ${adjustment.reference}`}
          onClick={() => onAsk(decision)}
        >
          {decisions[decision].button}
        </Button>
      ))}
    </div>
  )
}

function Deciding({ adjustment, decision, onClose }: Asked & { onClose: () => void }) {
  const decide = useDecideAdjustment(useReauthentication())
  const words = decisions[decision]
  return (
    <ReasonDialog
      route={adjustmentRoutes.decideAdjustment}
      opened
      onClose={onClose}
      title={words.title(adjustment.amount)}
      over="adjustment_decided"
      confirmLabel={words.button}
      destructive={decision !== 'approve'}
      onConfirm={async (reason) => {
        const wanted = decision === 'approve' ? 'approve' : 'decline'
        await decide.mutateAsync({ adjustmentId: adjustment._id, decision: wanted, reason })
        toast.success(words.done)
      }}
    >
      {words.effect}
    </ReasonDialog>
  )
}
