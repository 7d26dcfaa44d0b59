import { IconCash, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { payoutRoutes } from '../../../../contract/routes/commerce/payouts.ts'
import { useKeyed } from '../../../lib/idempotency-key.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { download } from '../../../ui/download.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { formatDate } from '../../../ui/format.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Money } from '../../../ui/Money.tsx'
import { Page } from '../../../ui/Page.tsx'
import { ReasonDialog } from '../../../ui/ReasonDialog.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import type { Reauthenticate } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import {
  type AnyPayout,
  allPayoutsQuery,
  type DecisionValues,
  useDecidePayout,
  useExportPayouts,
} from './api.ts'
import { PayoutStatus } from './PayoutStatus.tsx'
import styles from './payouts.module.css'
import { decisions, operatorTexts as texts } from './texts.ts'

type Decision = DecisionValues['decision']
type Asked = { payout: AnyPayout; decision: Decision }

/** What can come next. */
const STEPS: Partial<Record<AnyPayout['status'], Decision[]>> = {
  requested: ['approve', 'cancel'],
  approved: ['cancel'],
  in_transit: ['paid', 'failed'],
}

/** Everyone's payouts with the operator's next step for each (docs/product.md, Payouts). */
export function OperatorPayouts({ reauthenticate }: { reauthenticate: Reauthenticate }) {
  const [showing, setShowing] = useState<'open' | 'all'>('open')
  const [asked, setAsked] = useState<Asked | null>(null)
  const [exporting, setExporting] = useState(false)
  const list = useList(allPayoutsQuery(showing))
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      action={
        <Button
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
      </div>
      <GrowingList
        list={list}
        failed={texts.failed}
        waiting={<SkeletonLines lines={8} />}
        empty={
          <EmptyState Icon={IconCash} title={texts.none}>
            {texts.noneWhy}
          </EmptyState>
        }
      >
        <ul className={styles.list} aria-label={texts.label}>
          {list.items.map((payout) => (
            <Row key={payout._id} payout={payout} onAsk={(decision) => setAsked({ payout, decision })} />
          ))}
        </ul>
      </GrowingList>
      {asked && <Deciding asked={asked} onClose={() => setAsked(null)} reauthenticate={reauthenticate} />}
      {exporting && <Exporting onClose={() => setExporting(false)} reauthenticate={reauthenticate} />}
    </Page>
  )
}

function Row({ payout, onAsk }: { payout: AnyPayout; onAsk: (decision: Decision) => void }) {
  const { username } = payout.person
  return (
    <li className={styles.payout}>
      <div>
        <p className={styles.name}>
          {username} · <Money value={payout.amount} />
        </p>
        <p className={styles.note}>
          {texts.requestedOn(formatDate(payout.requestedAt))}
          {payout.reason && ` · ${payout.reason}`}
        </p>
      </div>
      <PayoutStatus status={payout.status} />
      <div className={styles.actions}>
        {STEPS[payout.status]?.map((decision) => (
          <Button
            key={decision}
            size="sm"
            variant={decision === 'approve' || decision === 'paid' ? 'light' : 'default'}
            aria-label={`${decisions[decision].button}, ${username}, ${payout.amount}`}
            onClick={() => onAsk(decision)}
          >
            {decisions[decision].button}
          </Button>
        ))}
      </div>
    </li>
  )
}

function Deciding({
  asked,
  onClose,
  reauthenticate,
}: {
  asked: Asked
  onClose: () => void
  reauthenticate: Reauthenticate
}) {
  const decide = useDecidePayout(reauthenticate)
  const { payout, decision } = asked
  const words = decisions[decision]
  return (
    <ReasonDialog
      route={payoutRoutes.decidePayout}
      opened
      onClose={onClose}
      title={words.title(payout.amount, payout.person.username)}
      confirmLabel={words.button}
      destructive={decision === 'cancel' || decision === 'failed'}
      onConfirm={async (reason) => {
        await decide.mutateAsync({ payoutId: payout._id, decision, reason })
        toast.success(words.done)
      }}
    >
      {words.effect}
    </ReasonDialog>
  )
}

function Exporting({ onClose, reauthenticate }: { onClose: () => void; reauthenticate: Reauthenticate }) {
  const { mutateAsync } = useExportPayouts(reauthenticate)
  const send = useKeyed(mutateAsync)
  return (
    <ReasonDialog
      route={payoutRoutes.exportPayouts}
      opened
      onClose={onClose}
      title={texts.exportTitle}
      confirmLabel={texts.exportConfirm}
      onConfirm={async (reason) => {
        const { csv, count, total } = await send({ reason })
        if (count === 0) return toast.failure(texts.nothingToExport)
        download(texts.file, csv, 'text/csv')
        toast.success(texts.exported(count, total))
      }}
    >
      {texts.exportEffect}
    </ReasonDialog>
  )
}
