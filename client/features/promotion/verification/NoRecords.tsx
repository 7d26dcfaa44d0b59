import { IconShieldCheck } from '@tabler/icons-react'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { AddSubreddit } from './AddSubreddit.tsx'
import { boardTexts as texts } from './texts.ts'

/** No verification yet: what they are for, and the first. */
export function NoRecords() {
  return (
    <EmptyState Icon={IconShieldCheck} title={texts.emptyTitle} action={<AddSubreddit />}>
      {texts.empty}
    </EmptyState>
  )
}
