import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { centsOf } from '../../../../contract/money.ts'
import { DELETED_USER } from '../../../../contract/orders.ts'
import { paths } from '../../../lib/paths.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { formatDateTime, withCents } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { Page, Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { kindText } from '../earnings/texts.ts'
import { type PaymentDetail, paymentQuery } from './api.ts'
import { Facts } from './Facts.tsx'
import { checkTexts, reasonText, refundReason } from './gateway-texts.ts'
import { OutsideDialog } from './OutsideDialog.tsx'
import styles from './operator.module.css'
import { DisputeStatusTag, OrderStatusTag, PaymentStatusTag } from './PaymentStatusTag.tsx'
import { RecordDispute } from './RecordDispute.tsx'
import { RefundDialog } from './RefundDialog.tsx'
import { SendOutsideDialog } from './SendOutsideDialog.tsx'
import {
  attentionTexts,
  outsideTexts,
  paymentStatusTexts,
  paymentTexts,
  refundStatusTexts,
  sourceTexts,
  detailTexts as texts,
  unattendedSources,
} from './texts.ts'

/** One payment with its history, from which an operator gives money back or records a dispute. */
export function Component() {
  const { transactionId = '' } = useParams()
  const payment = useQuery(paymentQuery(transactionId))
  return (
    <Page
      title={payment.data ? texts.titleOf(withCents(payment.data.amount)) : texts.title}
      width="text"
      back={<BackLink to={paths.payments}>{texts.back}</BackLink>}
    >
      <Fetched query={payment} waiting={<SkeletonLines lines={8} />} failed={texts.failed}>
        {(data) => (
          <ReauthenticationProvider>
            <Detail payment={data} />
          </ReauthenticationProvider>
        )}
      </Fetched>
    </Page>
  )
}

function Detail({ payment }: { payment: PaymentDetail }) {
  const reauthenticate = useReauthentication()
  const [asked, setAsked] = useState<'refund' | 'sending' | 'outside' | 'dispute' | null>(null)
  // As it was when a dialog about it was opened: the dialog stays, and says so, where somebody changed it since.
  const [about, setAbout] = useState<PaymentDetail['outside']>(null)
  const close = () => setAsked(null)
  const { outside } = payment
  const askAbout = (dialog: 'sending' | 'outside') => {
    setAbout(outside)
    setAsked(dialog)
  }
  const sending = outside?.sending ?? null
  const { attempts } = payment
  const at = attempts.findIndex(({ _id }) => _id === outside?.attemptId)
  // Refunding a charge that paid for nothing leaves the one that paid as it is.
  const status = attempts[at]?.status ?? null
  const isOfPaying = status === 'disputed' || status === 'captured'
  const isRefundable = centsOf(payment.refundable) > 0 && !(sending && isOfPaying)
  const isDisputable = centsOf(payment.disputable) > 0
  return (
    <>
      <Facts
        facts={[
          { label: texts.item, value: payment.title, wide: true },
          { label: texts.amount, value: <Money cents value={payment.amount} /> },
          { label: texts.status, value: <OrderStatusTag {...payment} /> },
          { label: texts.kind, value: kindText(payment.kind) },
          {
            label: texts.buyer,
            value: <Someone username={payment.buyer.username} />,
          },
          {
            label: texts.creator,
            value:
              payment.kind === 'donation' ? (
                paymentTexts.site
              ) : (
                <Someone username={payment.creator.username} />
              ),
          },
          { label: texts.ordered, value: formatDateTime(payment.createdAt) },
          { label: texts.share, value: <Money cents value={payment.creatorShare} /> },
          { label: texts.fee, value: <Money cents value={payment.platformFee} /> },
          ...payment.commissions.map(({ amount, referrer }) => ({
            label: texts.commission,
            value: texts.commissionTo(withCents(amount), referrer.username),
            wide: true,
          })),
          ...payment.withheld.map(({ amount, referrer, reason }) => ({
            label: texts.withheld,
            value:
              centsOf(amount) > 0
                ? texts.withheldFrom(withCents(amount), referrer.username, reason)
                : texts.withheldReturned(referrer.username, reason),
            wide: true,
          })),
          { label: texts.refundable, value: <Money cents value={payment.refundable} /> },
          { label: texts.transaction, value: payment._id, wide: true },
        ]}
      />
      {outside && sending && (
        <p className={styles.sending}>
          {attempts.length > 1 && `${texts.attempt(at + 1)}: `}
          {sendingText(outside.amount, sending, status)}
        </p>
      )}
      {(isRefundable || outside || isDisputable) && (
        <div className={styles.actions}>
          {isRefundable && (
            <Button variant="outline" onClick={() => setAsked('refund')}>
              {texts.refundOpen}
            </Button>
          )}
          {sending && (
            <Button variant="outline" onClick={() => askAbout('outside')}>
              {outsideTexts.record}
            </Button>
          )}
          {outside && (
            <Button variant="default" onClick={() => askAbout('sending')}>
              {sending ? outsideTexts.back : outsideTexts.sendOpen}
            </Button>
          )}
          {isDisputable && (
            <Button variant="default" onClick={() => setAsked('dispute')}>
              {texts.dispute}
            </Button>
          )}
        </div>
      )}
      <GivenBack payment={payment} />
      <Attempts attempts={payment.attempts} />
      <RefundDialog
        payment={payment}
        opened={asked === 'refund'}
        onClose={close}
        reauthenticate={reauthenticate}
      />
      {asked === 'sending' && about && (
        <SendOutsideDialog
          payment={payment}
          outside={about}
          chargeStatus={status}
          onClose={close}
          reauthenticate={reauthenticate}
        />
      )}
      <OutsideDialog
        payment={payment}
        outside={about}
        chargeStatus={status}
        opened={asked === 'outside'}
        onClose={close}
        reauthenticate={reauthenticate}
      />
      <RecordDispute
        payment={payment}
        sendingAmount={outside && sending && isOfPaying ? outside.amount : null}
        opened={asked === 'dispute'}
        onClose={close}
        reauthenticate={reauthenticate}
      />
    </>
  )
}

/** An amount that was refunded meanwhile isn't to be sent as well. */
function sendingText(
  amount: string,
  { by, since }: NonNullable<NonNullable<PaymentDetail['outside']>['sending']>,
  status: string | null,
): string {
  const [who, date] = [by.username, formatDateTime(since)]
  return status === 'voided' || status === 'refunded'
    ? outsideTexts.sendingOver(amount, who, date, status)
    : outsideTexts.sending(amount, who, date)
}

function GivenBack({ payment: { refunds, disputes } }: { payment: PaymentDetail }) {
  return (
    <>
      {disputes.length > 0 && (
        <Section title={texts.disputes}>
          <ul className={styles.list} aria-label={texts.disputes}>
            {disputes.map(({ _id, amount, status, openedAt }) => (
              <li key={_id} className={styles.row}>
                <div>
                  <TextLink to={paths.disputes}>
                    <Money cents value={amount} />
                  </TextLink>
                  <p className={styles.note}>{formatDateTime(openedAt)}</p>
                </div>
                <DisputeStatusTag status={status} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {refunds.length > 0 && (
        <Section title={texts.refunds}>
          <ul className={styles.list} aria-label={texts.refunds}>
            {refunds.map(({ _id, amount, status, reason, createdAt, by, document }) => (
              <li key={_id} className={styles.row}>
                <div>
                  <p className={styles.name}>
                    <Money cents value={amount} /> · {refundStatusTexts[status]}
                  </p>
                  <p className={styles.note}>
                    {[
                      formatDateTime(createdAt),
                      by?.username,
                      document && attentionTexts.document(document),
                      reason && refundReason(reason),
                    ]
                      .filter(Boolean)
                      .join('\u00a0· ')}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function Attempts({ attempts }: Pick<PaymentDetail, 'attempts'>) {
  return (
    <Section title={texts.attempts}>
      <ol className={styles.list} aria-label={texts.attempts}>
        {attempts.map(
          ({ _id, status, reference, gatewayTransactionId, card, isRenewal, events, ...checks }, at) => (
            <li key={_id} className={styles.row}>
              <div>
                <div className={styles.heading}>
                  <p className={styles.name}>
                    {[texts.attempt(at + 1), card].filter(Boolean).join('\u00a0· ')}
                  </p>
                  <PaymentStatusTag status={status} />
                </div>
                <p className={styles.note}>
                  {[
                    texts.reference(reference),
                    gatewayTransactionId && attentionTexts.atGateway(gatewayTransactionId),
                  ]
                    .filter(Boolean)
                    .join('\u00a0· ')}
                </p>
                {checkTexts(checks).map((text) => (
                  <p key={text} className={styles.note}>
                    {text}
                  </p>
                ))}
                <ol className={styles.events}>
                  {events.map((event) => (
                    <li key={`${event.status} ${event.at}`}>
                      {[
                        formatDateTime(event.at),
                        `${sourceText(event, isRenewal)} · ${paymentStatusTexts[event.status]}`,
                        event.reason && reasonText(event.reason),
                      ]
                        .filter(Boolean)
                        .join('\u00a0· ')}
                    </li>
                  ))}
                </ol>
              </div>
            </li>
          ),
        )}
      </ol>
    </Section>
  )
}

type PaymentEvent = PaymentDetail['attempts'][number]['events'][number]

function sourceText({ source, status }: PaymentEvent, isRenewal: boolean): string {
  if (source !== 'live') return sourceTexts[source]
  if (status === 'voided' || status === 'refunded') return unattendedSources.givenBack
  return isRenewal ? unattendedSources.renewal : sourceTexts.live
}

/** A link to who has a profile still. */
function Someone({ username }: { username: string }) {
  if (username === DELETED_USER) return username
  return <TextLink to={paths.profile(username)}>{username}</TextLink>
}
