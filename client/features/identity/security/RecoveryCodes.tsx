import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useBrandName } from '../../../lib/config.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { download } from '../../../ui/download.ts'
import styles from './security.module.css'
import { codesTexts } from './texts.ts'

/** Longer than between the presses of a double tap. */
const UNREAD_MS = 1_000

/** New recovery codes, shown this once; closing is a decision, so that they are not lost by a slip. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const brand = useBrandName()
  const [copied, setCopied] = useState<'copied' | 'failed'>()
  // On a phone its button stands where the one before it did: a double tap there would close the codes unread.
  const [unread, setUnread] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setUnread(false), UNREAD_MS)
    return () => clearTimeout(timer)
  }, [])
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied('copied'),
      () => setCopied('failed'),
    )
  const save = () =>
    download(`${brand.toLowerCase()}-recovery-codes.txt`, codesTexts.file(brand, codes), 'text/plain')
  return (
    <Dialog opened onClose={onDone} title={codesTexts.title} closable={false}>
      <div className={styles.stack}>
        <p>{codesTexts.about}</p>
        <ol className={styles.codes} aria-label={codesTexts.list}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className={styles.actions}>
          <Button
            variant="default"
            onClick={copy}
            leftSection={
              copied === 'copied' ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />
            }
          >
            {copied === 'copied' ? codesTexts.copied : codesTexts.copy}
          </Button>
          <Button variant="default" onClick={save} leftSection={<IconDownload size={18} aria-hidden />}>
            {codesTexts.download}
          </Button>
        </div>
        <output className={styles.note}>{copied === 'failed' && codesTexts.copyFailed}</output>
        <Button size="lg" disabled={unread} onClick={onDone}>
          {codesTexts.done}
        </Button>
      </div>
    </Dialog>
  )
}
