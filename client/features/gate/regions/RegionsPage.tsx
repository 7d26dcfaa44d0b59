import { useState } from 'react'
import { may, useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Page } from '../../../ui/Page.tsx'
import { AgeApproval } from './AgeApproval.tsx'
import { RegionDialog } from './RegionDialog.tsx'
import { RegionList } from './RegionList.tsx'
import { SenatorEditor } from './SenatorEditor.tsx'
import { texts } from './texts.ts'

/** The operator's page for regions with age-verification laws, and for approving somebody's age by hand (docs/product.md, Regions and age). */
export function Component() {
  const [adding, setAdding] = useState(false)
  const me = useCurrentUser()
  if (!may(me, 'regions.edit'))
    return (
      <Page title={texts.title}>
        <AgeApproval />
      </Page>
    )
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      action={<Button onClick={() => setAdding(true)}>{texts.add}</Button>}
    >
      <RegionList />
      <AgeApproval />
      <SenatorEditor />
      {adding && <RegionDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}
