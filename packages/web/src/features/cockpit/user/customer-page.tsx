import { useQuery } from '@tanstack/react-query'
import { ObjectLoader, ObjectRoute } from '../../../domain/directory/object-loader.tsx'
import { customerQuery } from './customer-calls.ts'
import { CustomerScreen } from './customer-screen.tsx'

/** A user of a customer, as staff see them. */
export function CustomerPage() {
  return <ObjectRoute param="user" object={(id) => <LoadedCustomer key={id} id={id} />} />
}

function LoadedCustomer({ id }: { id: string }) {
  const query = useQuery(customerQuery(id))
  return <ObjectLoader query={query}>{(user) => <CustomerScreen user={user} />}</ObjectLoader>
}
