import { useQuery } from '@tanstack/react-query'
import { CountBadge } from '../../../ui/CountBadge.tsx'
import { Hidden } from '../../../ui/Hidden.tsx'
import { reportTexts as texts } from '../occasional-texts.ts'
import { openReportsQuery } from './api.ts'

/** How many reports wait for a decision, from the first one on; stands within the link to them. */
export default function OpenReports() {
  const open = useQuery(openReportsQuery).data?.open ?? 0
  if (open === 0) return null
  return (
    <>
      <CountBadge count={open} />
      <Hidden>{texts.waiting(open)}</Hidden>
    </>
  )
}
