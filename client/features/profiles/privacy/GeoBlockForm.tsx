import { useQuery } from '@tanstack/react-query'
import { blockingRoutes } from '../../../../contract/routes/profiles/blocking.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { type GeoBlock, geoBlockQuery, useSetGeoBlock } from './api.ts'
import { privacyTexts as texts } from './texts.ts'

const PlacePickers = lazyPart(
  () => import('./PlacePickers.tsx').then((module) => module.default),
  <SkeletonLines lines={3} />,
)

/** The places from which a creator can't be seen. */
export function GeoBlockForm() {
  const stored = useQuery(geoBlockQuery)
  return (
    <Fetched query={stored} failed={texts.regionsFailed}>
      {(places) => <Places stored={places} />}
    </Fetched>
  )
}

function Places({ stored }: { stored: GeoBlock }) {
  const set = useSetGeoBlock()
  const form = useContractForm(blockingRoutes.setGeoBlock, {
    initial: stored,
    send: (body) => set.mutateAsync(body),
    onSuccess: () => toast.success(texts.saved),
    lost: texts.regionsLost,
  })
  return (
    <ContractForm form={form}>
      <p>{texts.regionsHint}</p>
      <PlacePickers
        places={form.values}
        onChange={({ countries, states }) => {
          form.set('countries', countries)
          form.set('states', states)
        }}
      />
      <FormError>{form.error}</FormError>
      <div>
        <Button type="submit" loading={form.pending} disabled={!form.dirty}>
          {texts.saveRegions}
        </Button>
      </div>
    </ContractForm>
  )
}
