import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import styles from './CopyField.module.css'
import { copyTexts } from './copy-texts.ts'
import { Button } from './core/Button.tsx'

/** A text to hand on, with a button that copies it and says so. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  return (
    <div className={styles.field}>
      <input
        className={styles.value}
        readOnly
        value={value}
        aria-label={label}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="default"
        onClick={copy}
        leftSection={
          state === 'copied' ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />
        }
      >
        {state === 'copied' ? copyTexts.copied : copyTexts.copy}
      </Button>
      <output className={styles.note}>{state === 'failed' && copyTexts.failed}</output>
    </div>
  )
}
