import { useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Asked } from './AskDialog.tsx'
import { askButtonTexts as texts } from './ask-button-texts.ts'

const AskDialog = lazyPart(() => import('./AskDialog.tsx').then((module) => module.default))

/** The button that asks a creator for something custom, with its dialog. */
export default function AskButton({ creator }: { creator: Asked }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {texts.ask}
      </Button>
      {asking && <AskDialog creator={creator} onClose={() => setAsking(false)} />}
    </>
  )
}
