import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { BackLink } from '../../../ui/BackLink.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { Page } from '../../../ui/Page.tsx'
import { ConnectPrompt } from '../parts/ConnectPrompt.tsx'
import { type Poster, PosterField } from '../schedule/PosterField.tsx'
import { usePreview, type Wanted } from './api.ts'
import { CandidateChoice } from './CandidateChoice.tsx'
import { PlanFiles } from './PlanFiles.tsx'
import { PlanPreview } from './PlanPreview.tsx'
import styles from './plan.module.css'
import { initialRows, type PlanRow } from './rows.ts'
import { planTexts as texts } from './texts.ts'

/** Many posts scheduled at once: chosen from what can go up next or read from a file, looked at, then scheduled. */
export function Component() {
  const { forumConnected } = useCurrentUser()
  const [rows, setRows] = useState<PlanRow[] | null>(null)
  const [poster, setPoster] = useState<Poster>({ accountId: null, byHand: false })
  const preview = usePreview()
  const plan = (wanted: Wanted) =>
    preview.mutate(wanted, { onSuccess: (planned) => setRows(initialRows(planned, 'text' in wanted)) })
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      width="text"
      back={<BackLink to={promotionPaths.timeline}>{texts.timeline}</BackLink>}
    >
      {!forumConnected && (
        <div className={styles.prompt}>
          <ConnectPrompt />
        </div>
      )}
      {rows ? (
        <PlanPreview rows={rows} onChange={setRows} onBack={() => setRows(null)} />
      ) : (
        <>
          <FormError>{preview.error && errorMessage(preview.error)}</FormError>
          <div className={styles.poster}>
            <PosterField value={poster} onChange={setPoster} />
          </div>
          <CandidateChoice poster={poster} loading={preview.isPending} onPlan={plan} />
          <PlanFiles poster={poster} loading={preview.isPending} onPlan={plan} />
        </>
      )}
    </Page>
  )
}
