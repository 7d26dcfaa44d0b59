import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { reconciliationRoutes } from '../../../../contract/routes/commerce/reconciliation.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { formatDate } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Section } from '../../../ui/Page.tsx'
import { ReasonDialog } from '../../../ui/ReasonDialog.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import {
  type Finding,
  findingsQuery,
  moneyChanges,
  stuckChargesQuery,
  takeFinding,
  undecidedQuery,
  useResolveFinding,
} from './api.ts'
import styles from './operator.module.css'
import { concernOf, findingTexts, stuckTexts, attentionTexts as texts, undecidedTexts } from './texts.ts'

/** Matters that need an operator, some of them before payouts continue; hidden while everything is in order. */
export function Attention() {
  const findings = useQuery(findingsQuery)
  const stuck = useQuery(stuckChargesQuery)
  const [resolving, setResolving] = useState<Finding | null>(null)
  const undecided = useQuery(undecidedQuery)
  const all = [findings, stuck, undecided]
  const found = findings.data?.items ?? []
  const left = stuck.data?.items ?? []
  const waiting = undecided.data?.items ?? []
  return (
    <Fetched
      query={{
        data: all.every(({ data }) => data) || undefined,
        error: all.find(({ data, error }) => !data && error)?.error,
        refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
      }}
      waiting={null}
      failed={texts.failed}
    >
      {() =>
        // The dialog says why it failed also where what it is about was the last.
        (found.length + left.length + waiting.length > 0 || resolving) && (
          <Section title={texts.title}>
            {found.length > 0 && <p className={styles.note}>{texts.why}</p>}
            <ul className={styles.list} aria-label={texts.title}>
              {found.map((finding) => (
                <Concern
                  key={finding._id}
                  {...findingTexts[concernOf(finding)]}
                  {...finding}
                  owner={finding.owner ? texts.owner(finding.owner.username) : texts.noOwner}
                >
                  <Steps finding={finding} onResolve={() => setResolving(finding)} />
                </Concern>
              ))}
              {left.map(({ reference, purchaseId, gatewayTransactionId, amount, since }) => (
                <Concern
                  key={reference}
                  {...{ ...stuckTexts, amount, gatewayTransactionId, since, transactionId: purchaseId }}
                />
              ))}
              {waiting.map(({ status, ...payment }) => (
                <Concern
                  key={`${payment.transactionId} ${payment.reference}`}
                  {...undecidedTexts[status]}
                  {...payment}
                  byDocument={status === 'transfer_missing'}
                />
              ))}
            </ul>
            <ReauthenticationProvider>
              {resolving && <Resolving finding={resolving} onClose={() => setResolving(null)} />}
            </ReauthenticationProvider>
          </Section>
        )
      }
    </Fetched>
  )
}

type ConcernProps = {
  title: string
  todo: string
  amount: string | null
  gatewayTransactionId: string | null
  since: string
  transactionId: string | null
  /** Our own reference if the gateway gave no number. */
  reference?: string
  /** Whether that is the number of a document. */
  byDocument?: boolean
  owner?: string
  /** The possible actions. */
  children?: ReactNode
}

function Concern({ title, todo, amount, transactionId, children, ...about }: ConcernProps) {
  const { gatewayTransactionId, reference, byDocument, since, owner } = about
  return (
    <li className={styles.row}>
      <div>
        <p className={styles.name}>
          {title}
          {amount !== null && (
            <>
              {' · '}
              <Money cents value={amount} />
            </>
          )}
        </p>
        <p>{todo}</p>
        <p className={styles.note}>
          {[
            gatewayTransactionId
              ? texts.atGateway(gatewayTransactionId)
              : reference && (byDocument ? texts.document(reference) : texts.invoice(reference)),
            texts.since(formatDate(since)),
            owner,
          ]
            .filter(Boolean)
            .join('\u00a0· ')}
        </p>
      </div>
      <div className={styles.actions}>
        {transactionId !== null && (
          <LinkButton size="sm" variant="default" to={paths.payment(transactionId)}>
            {texts.open}
          </LinkButton>
        )}
        {children}
      </div>
    </li>
  )
}

function Steps({ finding, onResolve }: { finding: Finding; onResolve: () => void }) {
  const { currentUser } = useSession()
  const resolveButton = useRef<HTMLButtonElement>(null)
  const take = useMutation({
    mutationFn: () => takeFinding(finding._id),
    meta: { invalidates: moneyChanges, onFailure: moneyChanges },
    onSuccess: () => {
      // The button is gone once it is theirs.
      resolveButton.current?.focus()
      toast.success(texts.taken)
    },
    onError: ({ message }) => toast.failure(message),
  })
  const number = finding.gatewayTransactionId
  return (
    <>
      {finding.owner?._id !== currentUser?._id && (
        <Button
          size="sm"
          variant="light"
          aria-label={texts.takeNumber(number)}
          loading={take.isPending}
          onClick={() => take.mutate()}
        >
          {texts.take}
        </Button>
      )}
      <Button
        ref={resolveButton}
        size="sm"
        variant="default"
        aria-label={texts.resolveNumber(number)}
        onClick={onResolve}
      >
        {texts.resolve}
      </Button>
    </>
  )
}

function Resolving({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const resolve = useResolveFinding(useReauthentication())
  return (
    <ReasonDialog
      route={reconciliationRoutes.resolveFinding}
      opened
      onClose={onClose}
      title={texts.resolveTitle}
      over="finding_resolved"
      confirmLabel={texts.resolve}
      onConfirm={async (reason) => {
        await resolve.mutateAsync({ findingId: finding._id, reason })
        toast.success(texts.resolved)
      }}
    >
      {texts.resolveEffect}
    </ReasonDialog>
  )
}
