import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { download } from '../../../ui/download.ts'
import { Fetched } from '../../../ui/Fetched.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { type Dispute, type Evidence, evidenceQuery } from './api.ts'
import { Facts } from './Facts.tsx'
import styles from './operator.module.css'
import { disputeTexts as texts } from './texts.ts'

/** The facts about a disputed payment, to read and to send to the bank. */
export function EvidenceDialog({ dispute, onClose }: { dispute: Dispute; onClose: () => void }) {
  const { caseNumber } = dispute
  const evidence = useQuery(evidenceQuery(dispute._id))
  return (
    <Dialog opened onClose={onClose} title={texts.evidenceOf(caseNumber)}>
      <Fetched query={evidence} waiting={<SkeletonLines lines={8} />} failed={texts.evidenceFailed}>
        {(data) => (
          <div className={styles.evidence}>
            {data.sections.map(({ title, facts }) => (
              <section key={title} aria-label={title}>
                <h3>{title}</h3>
                <Facts facts={facts} />
              </section>
            ))}
            <Button onClick={() => download(texts.file(caseNumber), asText(data), 'text/plain')}>
              {texts.download}
            </Button>
          </div>
        )}
      </Fetched>
    </Dialog>
  )
}

function asText({ sections }: Evidence): string {
  return sections
    .map(({ title, facts }) => [title, ...facts.map(({ label, value }) => `${label}: ${value}`)].join('\n'))
    .join('\n\n')
}
