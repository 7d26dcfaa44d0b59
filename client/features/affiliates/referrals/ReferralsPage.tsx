import { useQuery } from '@tanstack/react-query'
import { centsOf, formatMoney } from '../../../../contract/money.ts'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CopyField } from '../../../ui/CopyField.tsx'
import { Chart } from '../../../ui/chart/Chart.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { formatMonth, formatNumber, withCents } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Page, Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { referralLink } from '../parts/referral-link.ts'
import { type Figures, figuresQuery } from './api.ts'
import { CommissionList } from './CommissionList.tsx'
import styles from './referrals.module.css'
import { SharedCodes } from './SharedCodes.tsx'
import { Subreddits } from './Subreddits.tsx'
import { referralsTexts as texts } from './texts.ts'

/** A person's referrals: their link, what it brought, codes shared with others, and each commission. */
export function Component() {
  const me = useCurrentUser()
  const figures = useQuery(figuresQuery)
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      width="text"
      action={
        <LinkButton to={paths.dashboardHowToUse} variant="default">
          {texts.how}
        </LinkButton>
      }
    >
      <div className={styles.link}>
        <CopyField label={texts.link} value={referralLink(me)} />
      </div>
      <Fetched query={figures} waiting={<SkeletonLines lines={6} />} failed={texts.failed}>
        {(data) => <Earned figures={data} />}
      </Fetched>
      <SharedCodes />
      <Subreddits />
      <CommissionList />
    </Page>
  )
}

function Earned({ figures }: { figures: Figures }) {
  const { signUps, pending, available, reserved, months } = figures
  const isOnHold = centsOf(reserved) !== 0
  const total = months.reduce((sum, { earned }) => sum + centsOf(earned), 0)
  return (
    <>
      <dl className={styles.figures}>
        <Figure label={texts.available}>
          <Money cents value={available} look="earned" />
        </Figure>
        <Figure label={texts.pending}>
          <Money cents value={pending} />
        </Figure>
        {isOnHold && (
          <Figure label={texts.reserved}>
            <Money cents value={reserved} />
          </Figure>
        )}
        <Figure label={texts.fans}>{formatNumber(signUps.fans)}</Figure>
        <Figure label={texts.creators}>{formatNumber(signUps.creators)}</Figure>
      </dl>
      <p className={styles.hint}>
        {isOnHold && `${texts.reservedHint} `}
        {texts.availableHint} <TextLink to={paths.earnings}>{texts.payouts}</TextLink>
      </p>
      {months.some(({ earned }) => centsOf(earned) !== 0) && (
        <Section title={texts.chart.title}>
          <Card>
            <Chart
              label={texts.chart.label}
              format={(cents) => formatMoney(Math.round(cents))}
              summary={texts.chart.summary(withCents(formatMoney(total)))}
              unit={texts.chart.month}
              points={months.map(({ month, earned }) => ({
                key: month,
                tick: formatMonth(month).slice(0, 3),
                title: formatMonth(month),
                // A month in which more was taken back than earned has no bar.
                value: Math.max(0, centsOf(earned)),
              }))}
              columns={[{ header: texts.chart.earned, cells: months.map(({ earned }) => withCents(earned)) }]}
            />
          </Card>
        </Section>
      )}
    </>
  )
}

function Figure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
