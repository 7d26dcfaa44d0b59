import { Button } from '../../../ui/core/Button.tsx'
import { ForumFailure } from '../parts/ForumFailure.tsx'
import { mayPass, refusalSentence } from '../parts/refusals.ts'
import styles from './picker.module.css'
import { pickerTexts as texts } from './texts.ts'
import type { useChoices } from './use-choices.ts'

type SaveStateProps = { picking: ReturnType<typeof useChoices> }

/** Whether everything chosen is saved, and a way to save it again where that failed. */
export function SaveState({ picking }: SaveStateProps) {
  if (picking.state === 'failed')
    return (
      <div className={styles.unsaved}>
        <p>{texts.saveFailed}</p>
        <ForumFailure error={picking.error} />
        <div>
          <Button variant="default" size="sm" onClick={picking.retry}>
            {texts.retry}
          </Button>
        </div>
      </div>
    )
  return (
    <p className={styles.quiet} role="status">
      {picking.state === 'saving' ? texts.saving : texts.saved}
    </p>
  )
}

/** The subreddits that were left out while the others were saved, each with the reason. */
export function LeftOutNotice({ picking }: SaveStateProps) {
  const { leftOut, nameAgain, forgetLeftOut } = picking
  if (leftOut.length === 0) return null
  const again = leftOut.filter(mayPass)
  return (
    <div className={styles.unsaved} role="alert">
      <p>{texts.leftOut(leftOut.length)}</p>
      <ul>
        {leftOut.map((one) => (
          <li key={one.name}>{refusalSentence(one)}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        {again.length > 0 && (
          <Button variant="default" size="sm" onClick={() => nameAgain(again)}>
            {texts.tryAgain}
          </Button>
        )}
        <Button variant="subtle" size="sm" onClick={forgetLeftOut}>
          {texts.dismiss}
        </Button>
      </div>
    </div>
  )
}
