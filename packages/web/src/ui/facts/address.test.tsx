// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Address } from './address.tsx'

afterEach(cleanup)

test.each([
  ['owner@elsewhere.test', 'owner|@elsewhere|.test'],
  ['eva.muster@mail.example.org', 'eva|.muster|@mail|.example|.org'],
  ['name', 'name'],
])('%s may break at its marks only', (address, parts) => {
  const { container } = render(<Address>{address}</Address>)
  expect(container.innerHTML.replaceAll('<wbr>', '|')).toBe(parts)
  expect(container.textContent).toBe(address)
})
