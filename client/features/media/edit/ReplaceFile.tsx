import { IconReplace } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { MAX_FILE_BYTES, UPLOAD_EXTENSIONS } from '../../../../contract/constants.ts'
import { mediaErrors } from '../../../../contract/errors/media.ts'
import { useConfig } from '../../../lib/config.ts'
import { useOperator } from '../../../lib/operator.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import type { Media } from '../api.ts'
import styles from './Preview.module.css'
import type { Replacing } from './replacement.ts'
import type { Replacement } from './send-replacement.ts'
import { editTexts as texts } from './texts.ts'

const ProgressBar = lazyPart(() => import('../../../ui/ProgressBar.tsx').then((module) => module.ProgressBar))

const ReplaceDialog = lazyPart(() => import('./ReplaceDialog.tsx').then((module) => module.ReplaceDialog))

const ACCEPT = UPLOAD_EXTENSIONS.map((extension) => `.${extension}`).join(',')

/** Another file in place of the one that is there (docs/product.md, Calls, /media/editfile). */
export function ReplaceFile({
  media,
  replacing: { state, start, cancel },
}: {
  media: Media
  replacing: Replacing
}) {
  const maxBytes = useConfig()?.limits.maxFileBytes ?? MAX_FILE_BYTES
  const { forumAccount, forum } = useOperator()
  const [refused, setRefused] = useState<string>()
  const [asked, setAsked] = useState<File | null>(null)
  const askedBefore = useLatch(asked !== null)
  const input = useRef<HTMLInputElement>(null)
  const busy = state.phase === 'sending' || state.phase === 'preparing'

  const choose = async (file: File | undefined) => {
    if (!file) return
    const { refusal } = await import('../upload/rules.ts')
    const code = refusal(file, maxBytes)
    setRefused(code ? mediaErrors[code].text : undefined)
    if (!code) setAsked(file)
  }
  return (
    <div className={styles.tool}>
      {busy ? (
        <>
          <ProgressBar
            label={texts.replace[stepOf(state)](state.file.name)}
            percent={state.phase === 'preparing' && state.percent === 0 ? null : state.percent}
          />
          <Button variant="default" onClick={cancel}>
            {texts.replace.cancel}
          </Button>
        </>
      ) : (
        <Button
          variant="default"
          leftSection={<IconReplace size={18} stroke={1.75} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {texts.replace.button}
        </Button>
      )}
      <p className={styles.done} role="status">
        {state.phase === 'done' && !refused && texts.replace.done}
      </p>
      <FormError>
        {refused ??
          (state.phase === 'failed' && (
            <>
              {texts.replace.failed(forumAccount ?? texts.replace.ourAccount(forum))}
              {state.reason && <span className={styles.reason}>{state.reason}</span>}
            </>
          ))}
      </FormError>
      {state.phase === 'failed' && !refused && (
        <Button variant="default" onClick={state.again}>
          {texts.replace.tryAgain}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        accept={ACCEPT}
        hidden
        aria-label={texts.replace.input}
        onChange={(event) => {
          void choose(event.currentTarget.files?.[0])
          // The same file can be chosen again.
          event.currentTarget.value = ''
        }}
      />
      {askedBefore && (
        <ReplaceDialog media={media} file={asked} onClose={() => setAsked(null)} onConfirm={start} />
      )}
    </div>
  )
}

function stepOf(state: Extract<Replacement, { file: File }>) {
  if (state.phase === 'preparing') return 'preparing'
  return state.interrupted ? 'interrupted' : 'uploading'
}
