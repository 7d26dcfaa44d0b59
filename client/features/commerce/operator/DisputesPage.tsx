import { IconAlertTriangle, IconGavel } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isTip } from '../../../../contract/orders.ts'
import { disputeRoutes } from '../../../../contract/routes/commerce/disputes.ts'
import { paths } from '../../../lib/paths.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { dayOf, formatDate } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Money } from '../../../ui/Money.tsx'
import { Page } from '../../../ui/Page.tsx'
import { ReasonDialog } from '../../../ui/ReasonDialog.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { type Dispute, disputeRatioQuery, disputesQuery, useDecideDispute } from './api.ts'
import { EvidenceDialog } from './EvidenceDialog.tsx'
import styles from './operator.module.css'
import { DisputeStatusTag } from './PaymentStatusTag.tsx'
import { causeTexts, outcomes, paymentTexts, disputeTexts as texts } from './texts.ts'

type Outcome = keyof typeof outcomes

/** Disputed payments with what is sent to the bank, and what the bank decided. */
export function Component() {
  const [showing, setShowing] = useState<'open' | 'all'>('open')
  const [evidenceOf, setEvidenceOf] = useState<Dispute | null>(null)
  const [asked, setAsked] = useState<{ dispute: Dispute; outcome: Outcome } | null>(null)
  const list = useList(disputesQuery(showing))
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      action={
        <LinkButton to={paths.payments} variant="default">
          {texts.findPayment}
        </LinkButton>
      }
    >
      <Ratio />
      <div className={styles.tools}>
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
        waiting={<SkeletonLines lines={6} />}
        empty={
          <EmptyState Icon={IconGavel} title={texts.none}>
            {texts.noneWhy}
          </EmptyState>
        }
      >
        <ul className={styles.list} aria-label={texts.label}>
          {list.items.map((dispute) => (
            <Row
              key={dispute._id}
              dispute={dispute}
              onEvidence={() => setEvidenceOf(dispute)}
              onDecide={(outcome) => setAsked({ dispute, outcome })}
            />
          ))}
        </ul>
      </GrowingList>
      {evidenceOf && <EvidenceDialog dispute={evidenceOf} onClose={() => setEvidenceOf(null)} />}
      {asked && (
        <ReauthenticationProvider>
          <Deciding {...asked} onClose={() => setAsked(null)} />
        </ReauthenticationProvider>
      )}
    </Page>
  )
}

/** From about which rate card networks step in. */
const LIMIT_PERCENT = 0.9

/** The figures that card networks watch. */
function Ratio() {
  return (
    <section className={styles.ratio} aria-label={texts.ratio}>
      <Fetched
        query={useQuery(disputeRatioQuery)}
        waiting={<SkeletonLines lines={2} />}
        failed={texts.failed}
      >
        {({ percent, disputes, payments }) => {
          const times = Number(percent) / LIMIT_PERCENT
          return (
            <>
              <p className={styles.note}>{texts.ratio}</p>
              <p className={styles.figure} data-over={times >= 1 || undefined}>
                {times >= 1 && <IconAlertTriangle size={20} stroke={1.75} aria-hidden />}
                {percent}%
              </p>
              <p className={styles.note}>
                {texts.ratioOf(disputes, payments)}. {times >= 1 ? texts.ratioOver(times) : texts.ratioHint}
              </p>
            </>
          )
        }}
      </Fetched>
    </section>
  )
}

type RowProps = { dispute: Dispute; onEvidence: () => void; onDecide: (outcome: Outcome) => void }

function Row({ dispute, onEvidence, onDecide }: RowProps) {
  const { transactionId, title, buyer, creator, amount, cause, caseNumber, respondBy, status } = dispute
  const isLate = status === 'open' && respondBy !== null && respondBy < dayOf(serverNow())
  return (
    <li className={styles.row}>
      <div>
        <p className={styles.name}>
          <TextLink to={paths.payment(transactionId)}>{title}</TextLink> · <Money cents value={amount} />
        </p>
        <p className={styles.note}>
          {[
            paymentTexts.between(buyer.username, creator.username),
            causeTexts[cause],
            texts.caseNumber(caseNumber),
          ].join('\u00a0· ')}
        </p>
        <p className={styles.note}>
          {[
            formatDate(dispute.openedAt),
            respondBy && (isLate ? texts.respondLate : texts.respondBy)(formatDate(respondBy)),
          ]
            .filter(Boolean)
            .join('\u00a0· ')}
        </p>
      </div>
      <div className={styles.actions}>
        {isLate && <Tag tone="bad">{texts.late}</Tag>}
        <DisputeStatusTag status={status} />
      </div>
      <div className={styles.actions}>
        <Button size="sm" variant="default" onClick={onEvidence} aria-label={texts.evidenceOf(caseNumber)}>
          {texts.evidence}
        </Button>
        {status === 'open' &&
          (['won', 'lost'] as const).map((outcome) => (
            <Button
              key={outcome}
              size="sm"
              variant={outcome === 'won' ? 'filled' : 'default'}
              aria-label={`${outcomes[outcome].button}, ${texts.caseNumber(caseNumber)}`}
              onClick={() => onDecide(outcome)}
            >
              {outcomes[outcome].button}
            </Button>
          ))}
      </div>
    </li>
  )
}

function Deciding({
  dispute,
  outcome,
  onClose,
}: {
  dispute: Dispute
  outcome: Outcome
  onClose: () => void
}) {
  const decide = useDecideDispute(useReauthentication())
  const words = outcomes[outcome]
  return (
    <ReasonDialog
      route={disputeRoutes.decideDispute}
      opened
      onClose={onClose}
      title={words.title(dispute.amount)}
      over="dispute_decided"
      confirmLabel={words.button}
      destructive={outcome === 'lost'}
      onConfirm={async (reason) => {
        await decide.mutateAsync({ disputeId: dispute._id, outcome, reason })
        toast.success(words.done)
      }}
    >
      {isTip(dispute.kind) ? words.tipEffect : words.effect}
    </ReasonDialog>
  )
}
