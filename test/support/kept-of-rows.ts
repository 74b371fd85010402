/** Of what is known of rows, all that goes from one runner to the next (`.ci/recipes`). */
export const keptOfRows = ["mappings/*/rows/.gitignore", "mappings/*/rows/*.prints"];
