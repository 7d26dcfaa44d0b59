import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { EARNINGS_GROUPS } from '../../../../contract/promotion.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { download } from '../../../ui/download.ts'
import { dayOf, formatNumber } from '../../../ui/format.ts'
import { useList } from '../../../ui/list/use-list.ts'
import { Money } from '../../../ui/Money.tsx'
import { Page } from '../../../ui/Page.tsx'
import { TabBar } from '../../../ui/TabBar.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Earned, type EarningsGroup, earningsFile, postEarningsQuery } from './api.ts'
import { earnedText } from './columns.tsx'
import { EarningsBy } from './EarningsBy.tsx'
import styles from './earnings.module.css'
import { PeriodChoice } from './PeriodChoice.tsx'
import { askedOf, periodOf } from './period.ts'
import { Suggestions } from './Suggestions.tsx'
import { earningsTexts as texts } from './texts.ts'

const FIRST: EarningsGroup = 'subreddit'
const GROUPS = [FIRST, ...EARNINGS_GROUPS.filter((group) => group !== FIRST)]

/** The results of the creator’s posts, by post, place, title, flair and time (docs/product.md, Promotion). */
export function Component() {
  const [period, setPeriod] = useState(() => periodOf('90', dayOf(serverNow())))
  const [by, setBy] = useState<EarningsGroup>(FIRST)
  // While the days that are being typed make no period, the last one stays.
  const [asked, setAsked] = useState(() => askedOf(period) ?? { from: new Date(0).toISOString() })
  const list = useList({ ...postEarningsQuery({ ...asked, by }), placeholderData: keepPreviousData })
  const total = list.first?.total
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div className={styles.head}>
        <PeriodChoice
          value={period}
          onChange={(next) => {
            setPeriod(next)
            setAsked(askedOf(next) ?? asked)
          }}
        />
        {total && total.posts > 0 && <DownloadButton asked={{ ...asked, by }} />}
      </div>
      {total && total.posts > 0 && <Totals total={total} />}
      <p className={styles.rules}>{texts.rules}</p>
      <div className={styles.groups}>
        <TabBar
          label={texts.by}
          value={by}
          onChange={setBy}
          tabs={GROUPS.map((name) => ({
            name,
            label: texts.groups[name],
            panel: <EarningsBy by={name} list={list} />,
          }))}
        />
      </div>
      <Suggestions />
    </Page>
  )
}

function DownloadButton({ asked }: { asked: Parameters<typeof earningsFile>[0] }) {
  const [loading, setLoading] = useState(false)
  const save = async () => {
    setLoading(true)
    try {
      const { fileName, text } = await earningsFile(asked)
      download(fileName, text, 'text/csv')
    } catch {
      toast.failure(texts.downloadFailed)
    } finally {
      setLoading(false)
    }
  }
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
      loading={loading}
      onClick={() => void save()}
    >
      {texts.download}
    </Button>
  )
}

function Totals({ total }: { total: Earned }) {
  return (
    <dl className={styles.totals}>
      <Sum label={texts.earned}>
        <Money value={earnedText(total)} look="earned" />
      </Sum>
      <Sum label={texts.sales}>{texts.ofCount(total.salesAmount, total.sales)}</Sum>
      <Sum label={texts.renewals}>{texts.ofCount(total.renewalsAmount, total.renewals)}</Sum>
      <Sum label={texts.visits}>{formatNumber(total.visits)}</Sum>
      <Sum label={texts.signUps}>{formatNumber(total.signUps)}</Sum>
      <Sum label={texts.follows}>{formatNumber(total.follows)}</Sum>
      <Sum label={texts.trials}>{formatNumber(total.trials)}</Sum>
      <Sum label={texts.redemptions}>{formatNumber(total.redemptions)}</Sum>
      <Sum label={texts.posts}>{formatNumber(total.posts)}</Sum>
    </dl>
  )
}

function Sum({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.sum}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
