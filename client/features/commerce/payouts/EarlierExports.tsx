import { useState } from 'react'
import { payoutRoutes } from '../../../../contract/routes/commerce/payouts.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { download } from '../../../ui/download.ts'
import { formatDateTime, withCents } from '../../../ui/format.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Section } from '../../../ui/Page.tsx'
import { ReasonDialog } from '../../../ui/ReasonDialog.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { type PayoutExport, payoutExportsQuery, useDownloadExport } from './api.ts'
import styles from './payouts.module.css'
import { operatorTexts, exportTexts as texts } from './texts.ts'

/** The files that were made for the bank, to be downloaded again; nothing where there are none. */
export function EarlierExports() {
  const list = useList(payoutExportsQuery)
  const [asked, setAsked] = useState<PayoutExport | null>(null)
  if (list.pageCount > 0 && list.items.length === 0) return null
  return (
    <Section title={texts.title}>
      <p className={styles.hint}>{texts.about}</p>
      <GrowingList
        list={list}
        byButton
        moreLabel={texts.more}
        failed={texts.failed}
        waiting={<SkeletonLines lines={3} />}
        empty={null}
      >
        <ul className={styles.list} aria-label={texts.title}>
          {list.items.map((made) => (
            <Made key={made._id} made={made} onAsk={() => setAsked(made)} />
          ))}
        </ul>
      </GrowingList>
      <ReauthenticationProvider>
        {asked && <Downloading made={asked} onClose={() => setAsked(null)} />}
      </ReauthenticationProvider>
    </Section>
  )
}

function Made({ made, onAsk }: { made: PayoutExport; onAsk: () => void }) {
  const { by, exportedAt, reason, count, total, hasFile, paid, unpaid } = made
  const date = formatDateTime(exportedAt)
  return (
    <li className={styles.payout}>
      <div>
        <p className={styles.name}>{texts.sum(count, withCents(total))}</p>
        <p className={styles.note}>{texts.made(date, by.username, reason)}</p>
        {!hasFile && <p className={styles.note}>{texts.gone}</p>}
        {hasFile && paid > 0 && <p className={styles.note}>{texts.paid(paid)}</p>}
        {hasFile && unpaid > 0 && <p className={styles.note}>{texts.outdated(unpaid)}</p>}
      </div>
      {hasFile && unpaid === 0 && (
        <Button size="sm" variant="default" aria-label={texts.downloadOf(date)} onClick={onAsk}>
          {texts.download}
        </Button>
      )}
    </li>
  )
}

function Downloading({ made, onClose }: { made: PayoutExport; onClose: () => void }) {
  const again = useDownloadExport(useReauthentication())
  return (
    <ReasonDialog
      route={payoutRoutes.downloadPayoutExport}
      opened
      onClose={onClose}
      title={texts.question(formatDateTime(made.exportedAt))}
      over={['export_not_found', 'export_outdated']}
      confirmLabel={texts.confirm}
      onConfirm={async (reason) => {
        const { csv } = await again.mutateAsync({ exportId: made._id, reason })
        download(operatorTexts.file, csv, 'text/csv')
      }}
    >
      {texts.effect}
    </ReasonDialog>
  )
}
