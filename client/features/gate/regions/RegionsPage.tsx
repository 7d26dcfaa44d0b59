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
  return may(useCurrentUser(), 'regions.edit') ? (
    <Regions />
  ) : (
    <Page title={texts.agesTitle} lead={texts.agesLead} width="text">
      <AgeApproval />
    </Page>
  )
}

function Regions() {
  const [adding, setAdding] = useState(false)
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
