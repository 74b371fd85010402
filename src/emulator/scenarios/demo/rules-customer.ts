import { ruleOf } from "../build/notation.ts";
import type { RuleSpec } from "../build/spec.ts";

const completeness = ruleOf("Completeness");
const validity = ruleOf("Validity");
const uniqueness = ruleOf("Uniqueness");
const accuracy = ruleOf("Accuracy");
const timeliness = ruleOf("Timeliness");

/** What is checked about people, addresses and consent. */
export const customerRules: readonly RuleSpec[] = [
  completeness("Value is present", "value STRING", {
    description: "Neither null nor only white space.",
    conditions: [["value is null or trim(value) = ''", "Not Complete", "Value is missing"]],
    otherwise: "Complete",
  }),
  completeness("Number is present", "value LONG", {
    conditions: [["value is null", "Not Complete", "Number is missing"]],
    otherwise: "Complete",
  }),
  completeness("Full name is complete", "first_name STRING, last_name STRING", {
    description: "Both parts of the name are there.",
    conditions: [
      ["first_name is null and last_name is null", "Not Complete", "Name is missing"],
      ["first_name is null", "Not Complete", "First name is missing"],
      ["last_name is null", "Not Complete", "Last name is missing"],
    ],
    otherwise: "Complete",
  }),
  completeness("Address is complete", "street STRING, house_number STRING, postal_code STRING, city STRING", {
    conditions: [
      ["postal_code is null and city is null", "Not Complete", "Neither postal code nor city"],
      ["street is null or house_number is null", "Not Complete", "Street or house number is missing"],
    ],
    otherwise: "Complete",
  }),
  completeness("VAT number where one is needed", "vat_number STRING, is_business BOOLEAN", {
    conditions: [["is_business and vat_number is null", "Not Complete", "Business without VAT number"]],
    otherwise: "Complete",
  }),
  validity("Email format", "email STRING", {
    description: "One @, a host with a dot.",
    transformations: { email: "Trim" },
    conditions: [
      ['not matches(@"^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", lower(email))', "Invalid", "Not an e-mail address"],
    ],
    otherwise: "Valid",
  }),
  // Named like the one before it, with other content: a name does not say which rule is meant.
  validity("Email format", "email STRING", {
    key: "Email format (strict)",
    description: "As the mail provider checks it, with the list of blocked hosts.",
    transformations: { email: "Lower case" },
    parameters: [["max_length LONG", 254]],
    conditions: [
      ["length(email) > max_length", "Invalid", "Too long"],
      [
        'not matches(@"^[a-z0-9.+_-]+@[a-z0-9-]+(\\.[a-z0-9-]+)+$", email)',
        "Invalid",
        "Not an e-mail address",
      ],
      ["isInFile(substr(email, indexOf(email, '@') + 1), 'blocked_hosts')", "Invalid", "Throw-away host"],
    ],
    otherwise: "Valid",
  }),
  validity("Phone number format", "phone STRING", {
    transformations: { phone: "Remove spaces" },
    conditions: [['not matches(@"^\\+[1-9][0-9]{6,14}$", phone)', "Invalid", "Not in E.164 form"]],
    otherwise: "Valid",
  }),
  validity("Gültige Postleitzahl (DACH)", "postal_code STRING, country_code STRING", {
    description: "PLZ: fünf Ziffern in DE, vier in AT und CH.",
    transformations: { country_code: "Upper case" },
    conditions: [
      ["country_code = 'DE' and not matches(@\"^[0-9]{5}$\", postal_code)", "Invalid", "Keine deutsche PLZ"],
      ["country_code in {'AT', 'CH'} and not matches(@\"^[0-9]{4}$\", postal_code)", "Invalid", "Keine PLZ"],
    ],
    otherwise: "Valid",
  }),
  validity("Country code", "country_code STRING", {
    conditions: [["not isInFile(country_code, 'iso_3166')", "Invalid", "Unknown country"]],
    otherwise: "Valid",
  }),
  validity("Age in range", "birth_date DATE", {
    parameters: [
      ["min_age LONG", 18],
      ["max_age LONG", 120],
    ],
    conditions: [
      ["dateDiff(birth_date, today(), 'YEAR') < min_age", "Invalid", "Too young"],
      ["dateDiff(birth_date, today(), 'YEAR') > max_age", "Invalid", "Too old to be true"],
    ],
    otherwise: "Valid",
  }),
  validity("Coordinates inside the area", "latitude DOUBLE, longitude DOUBLE", {
    parameters: ["south DOUBLE", "north DOUBLE", "west DOUBLE", "east DOUBLE"],
    conditions: [
      ["latitude < south or latitude > north", "Invalid", "Outside to the north or south"],
      ["longitude < west or longitude > east", "Invalid", "Outside to the east or west"],
    ],
    otherwise: "Valid",
  }),
  uniqueness("Unique customer key", "customer_id LONG", {
    conditions: [
      ["customer_id is null", "Not Populated", "No key"],
      ["count() over (customer_id) > 1", "Not Unique", "Key occurs again"],
    ],
    otherwise: "Unique",
  }),
  uniqueness("One account an e-mail address", "email STRING, created_at DATETIME", {
    transformations: { email: "Lower case" },
    conditions: [
      ["email is null", "Not Populated"],
      ["rank() over (email order by created_at) > 1", "Not Unique", "A younger account has the address"],
    ],
    otherwise: "Unique",
  }),
  accuracy("Postal code fits the city", "postal_code STRING, city STRING", {
    joined: "reference_code STRING, reference_city STRING",
    description: "Against the list of the post.",
    conditions: [
      ["reference_code is null", "No reference available"],
      ["upper(city) <> upper(reference_city)", "Not Accurate", "Another city has this code"],
    ],
    otherwise: "Accurate",
  }),
  accuracy("Segment fits the spending", "segment_code STRING, yearly_spend DOUBLE", {
    joined: "reference_segment STRING, min_spend DOUBLE, max_spend DOUBLE",
    conditions: [
      ["reference_segment is null", "No reference available"],
      ["yearly_spend < min_spend or yearly_spend > max_spend", "Not Accurate", "Another segment fits"],
    ],
    otherwise: "Accurate",
  }),
  timeliness("Consent is fresh", "granted_at DATETIME, withdrawn_at DATETIME", {
    parameters: [["max_days LONG", 730]],
    conditions: [
      ["granted_at is null", "Not Provided"],
      [
        "withdrawn_at is not null and withdrawn_at < granted_at",
        "Too Early",
        "Withdrawn before it was given",
      ],
      ["dateDiff(granted_at, now(), 'DAY') > max_days", "Too Late", "Consent has to be asked again"],
    ],
    otherwise: "On Time",
  }),
];
